package io.jverbs.samples.udpong;

import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The client of udpong: sends messages, and sends those again to which no response has come. */
final class UdpongClient {
    private static final Duration LONG = Duration.ofSeconds(1);
    /** After how long a message of a test is sent again. */
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final MessageSocket socket;
    private final InetSocketAddress server;
    private final UdpongModes modes;
    private final PrintWriter out;
    private final PrintWriter err;
    private final UdpongMessage message = new UdpongMessage();
    private int sequence;

    /** Creates the client of a server. */
    UdpongClient(MessageSocket socket, InetSocketAddress server, UdpongModes modes, PrintWriter out, PrintWriter err) {
        this.socket = socket;
        this.server = server;
        this.modes = modes;
        this.out = out;
        this.err = err;
    }

    /** Logs in and runs tests. A test whose messages are too long is left out. */
    void run(List<UdpongCase> tests) throws IOException, InterruptedException {
        out.println(UdpongCase.HEADING);
        out.flush();
        message.operation(UdpongMessage.LOGIN);
        exchange(UdpongMessage.CONTROL_BYTES, LONG);
        for (UdpongCase test : tests) {
            int most = socket.maxPayload(server);
            if (test.size() > most) {
                err.println(test.name() + ": a message of " + test.size() + " bytes is too long; it can have " + most);
                err.flush();
            } else {
                out.println(run(test));
                out.flush();
            }
        }
    }

    private String run(UdpongCase test) throws IOException, InterruptedException {
        message.operation(UdpongMessage.START);
        exchange(UdpongMessage.CONTROL_BYTES, LONG);
        message.operation(test.echo() ? UdpongMessage.ECHO : UdpongMessage.DATA);
        long start = System.nanoTime();
        for (int i = 0; i < test.transfers(); i++) {
            if (test.echo()) {
                exchange(test.size(), SHORT);
            } else {
                send(test.size());
            }
        }
        message.operation(UdpongMessage.END);
        exchange(UdpongMessage.CONTROL_BYTES, SHORT);
        return test.row(System.nanoTime() - start, test.echo() ? 2L * test.transfers() : message.number());
    }

    private void send(int length) throws IOException, InterruptedException {
        while (!socket.trySend(message.first(length), server)) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (modes.waits()) {
                socket.awaitWritable(LONG);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Sends a message, again and again, until the server has responded to it. */
    private void exchange(int length, Duration timeout) throws IOException, InterruptedException {
        long start = System.nanoTime();
        message.sequence(sequence);
        do {
            if (System.nanoTime() - start > MAX_SILENCE_NANOS) {
                throw new SampleFailure("no response of the server at " + server.getAddress().getHostAddress()
                        + " port " + server.getPort() + " within 30 seconds: check that it runs");
            }
            send(length);
        } while (!receive(length, timeout));
        sequence = sequence + 1 & 0xFF;
    }

    /** Receives the response, and skips those to earlier messages; returns whether it has come in time. */
    private boolean receive(int length, Duration timeout) throws IOException, InterruptedException {
        int operation = message.operation();
        int client = message.client();
        socket.awaitReadable(timeout);
        while (true) {
            InetSocketAddress sender = socket.tryReceive(message.whole());
            if (sender != null && sender.equals(server) && message.isMessage() && message.received() == length
                    && message.sequence() == sequence) {
                return true;
            }
            if (sender == null) {
                // what was skipped has overwritten the message
                message.operation(operation);
                message.client(client);
                message.sequence(sequence);
                return false;
            }
        }
    }
}
