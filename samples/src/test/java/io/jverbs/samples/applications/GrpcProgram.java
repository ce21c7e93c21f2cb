package io.jverbs.samples.applications;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** gRPC over Netty: a call with one response, and one with a stream of responses. */
final class GrpcProgram {
    /** The length of a message. */
    static final int BYTES = 20_000;
    /** The length of the stream. */
    static final int RESPONSES = 10;

    private static final int DEADLINE_SECONDS = 20;

    private static final MethodDescriptor<byte[], byte[]> ECHO = method("Echo", MethodType.UNARY);
    private static final MethodDescriptor<byte[], byte[]> REPEAT = method("Repeat", MethodType.SERVER_STREAMING);

    private GrpcProgram() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setFullMethodName(MethodDescriptor.generateFullMethodName("Messages", name)).setType(type)
                .setRequestMarshaller(new Bytes()).setResponseMarshaller(new Bytes()).build();
    }

    /** Messages are bytes. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Server start(String address) throws IOException {
        return NettyServerBuilder.forAddress(new InetSocketAddress(address, 0)).addService(
                ServerServiceDefinition.builder("Messages")
                        .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, responses) -> {
                            responses.onNext(request);
                            responses.onCompleted();
                        }))
                        .addMethod(REPEAT, ServerCalls.asyncServerStreamingCall((request, responses) -> {
                            for (int i = 0; i < RESPONSES; i++) {
                                responses.onNext(request);
                            }
                            responses.onCompleted();
                        })).build())
                .build().start();
    }

    public static void main(String[] args) throws Exception {
        Server server = start(args[0]);
        ManagedChannel channel = NettyChannelBuilder.forAddress(new InetSocketAddress(args[0], server.getPort()))
                .usePlaintext().build();
        byte[] message = Payload.of(BYTES);
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);

        byte[] response = ClientCalls.blockingUnaryCall(channel, ECHO, options, message);
        System.out.println("the response is " + (Arrays.equals(message, response) ? "the same" : "another"));

        int same = 0;
        Iterator<byte[]> responses = ClientCalls.blockingServerStreamingCall(channel, REPEAT, options, message);
        while (responses.hasNext()) {
            same += Arrays.equals(message, responses.next()) ? 1 : 0;
        }
        System.out.println(same + " responses of the stream are the same");

        channel.shutdownNow().awaitTermination(DEADLINE_SECONDS, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(DEADLINE_SECONDS, TimeUnit.SECONDS);
        RdmaTraffic.ofSelectedDevice().print();
    }
}
