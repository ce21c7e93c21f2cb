package io.jverbs.contract.end.remote;

import io.jverbs.contract.end.End;
import io.jverbs.contract.end.EndFailure;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An end controlled through an {@link EndServer}. Commands of several threads share the connection and do not wait for
 * each other.
 */
public final class RemoteEnd implements InvocationHandler {

    private final Socket socket;
    private final Wire.Output out;
    private final Wire.Input in;
    private final String name;
    private final AtomicLong next = new AtomicLong();
    private final Map<Long, CompletableFuture<Object>> waiting = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private RemoteEnd(InetSocketAddress server, String selector) throws IOException {
        name = "RemoteEnd[" + selector + " at " + server + "]";
        socket = new Socket(server.getAddress(), server.getPort());
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        out = new Wire.Output(new BufferedOutputStream(socket.getOutputStream()));
        out.flush();
        in = new Wire.Input(new BufferedInputStream(socket.getInputStream()));
    }

    /** Opens a device on the server. */
    public static End open(InetSocketAddress server, String selector) {
        try {
            RemoteEnd handler = new RemoteEnd(server, selector);
            Thread.ofPlatform().daemon().name("remote-end").start(handler::readReplies);
            handler.call(EndServer.OPEN, new Object[] {selector});
            return (End) Proxy.newProxyInstance(End.class.getClassLoader(), new Class<?>[] {End.class}, handler);
        } catch (IOException e) {
            throw new EndFailure(e.getClass().getName(), e.getMessage());
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> name;
            };
        }
        if (method.getName().equals("close") && method.getParameterCount() == 0) {
            close();
            return null;
        }
        return call(method.getName(), arguments == null ? new Object[0] : arguments);
    }

    private Object call(String command, Object[] arguments) {
        long id = next.incrementAndGet();
        CompletableFuture<Object> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        try {
            if (closed) {
                throw new IOException("the connection is closed");
            }
            out.send(new Wire.Request(id, command, arguments));
        } catch (IOException e) {
            waiting.remove(id);
            throw new EndFailure(e.getClass().getName(), e.getMessage());
        }
        try {
            return reply.join();
        } catch (CompletionException e) {
            throw here((RuntimeException) e.getCause());
        }
    }

    /** Returns the failure with the remote stack, and the stack of the caller as a suppressed exception. */
    private static RuntimeException here(RuntimeException failure) {
        failure.addSuppressed(new IllegalStateException("called from here"));
        return failure;
    }

    private void close() {
        if (closed) {
            return;
        }
        try {
            call(EndServer.CLOSE, new Object[0]);
        } finally {
            closed = true;
            try {
                socket.close();
            } catch (IOException e) {
                failAll(e);
            }
        }
    }

    private void readReplies() {
        try {
            while (true) {
                Wire.Reply reply = (Wire.Reply) in.readObject();
                CompletableFuture<Object> future = waiting.remove(reply.id());
                if (reply.failure() != null) {
                    future.completeExceptionally(reply.failure());
                } else {
                    future.complete(reply.value());
                }
            }
        } catch (IOException | ClassNotFoundException e) {
            failAll(e);
        }
    }

    private void failAll(Exception e) {
        closed = true;
        waiting.values().forEach(future -> future
                .completeExceptionally(new EndFailure(e.getClass().getName(), "connection lost: " + e.getMessage())));
    }
}
