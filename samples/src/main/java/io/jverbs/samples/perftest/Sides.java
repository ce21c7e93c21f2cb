package io.jverbs.samples.perftest;

import io.jverbs.samples.connect.Tcp;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.perftest.run.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the client, the server, or both as two threads. */
final class Sides {
    private final Settings settings;
    private final Screen screen;

    Sides(Settings settings, Screen screen) {
        this.settings = settings;
        this.screen = screen;
    }

    void run() {
        if (settings.loopback()) {
            runBoth();
        } else {
            new Session(settings, settings.host() != null, screen).run(context -> Link.open(settings, context));
        }
    }

    /** Runs both sides. Only the client prints. */
    private void runBoth() {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel listener = Tcp.listen(new InetSocketAddress(here, 0))) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            CompletableFuture<Void> server = start(listener);
            new Session(settings, true, screen).run(
                    context -> Link.tcp(settings, Tcp.connect(here.getHostAddress(), port)));
            server.get(settings.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (IOException e) {
            throw new SampleFailure("the TCP connection between the two sides failed: " + e.getMessage() + ".");
        } catch (ExecutionException e) {
            throw new SampleFailure("the server failed: " + e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw new SampleFailure("the server did not exit within " + settings.patience().toSeconds() + " s.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted while waiting for the server.");
        }
    }

    private CompletableFuture<Void> start(ServerSocketChannel listener) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        Screen nowhere = new Screen(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()), false);
        Thread.ofPlatform().daemon().name("server").start(() -> {
            try {
                new Session(settings, false, nowhere).run(context -> Link.tcp(settings, listener.accept()));
                result.complete(null);
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }
}
