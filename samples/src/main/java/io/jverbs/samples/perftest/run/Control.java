package io.jverbs.samples.perftest.run;

import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import jdk.net.ExtendedSocketOptions;

/**
 * The control connection between the two sides: a TCP connection with lines of words, of which the first word is the
 * type of the line. A side that fails sends the reason to the other. Not thread-safe.
 */
public final class Control implements AutoCloseable {
    /** The first line in each direction, which detects other programs and other versions of this one. */
    public static final String HELLO = "jverbs perftest 2";

    private static final String FAILED = "failed";
    private static final int LONGEST_LINE = 4096;
    private static final int MAX_KEEPALIVE_SECONDS = 32_767;
    private static final List<SocketOption<Integer>> KEEPALIVE = List.of(ExtendedSocketOptions.TCP_KEEPIDLE,
            ExtendedSocketOptions.TCP_KEEPINTERVAL);

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocate(LONGEST_LINE);

    /** Takes over a connected channel, which {@link #close} closes. */
    public Control(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.configureBlocking(false);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    InetSocketAddress own() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    InetSocketAddress peer() throws IOException {
        return (InetSocketAddress) channel.getRemoteAddress();
    }

    /**
     * Exchanges greetings with the peer.
     *
     * @throws SampleFailure if the peer sends something else, or nothing within the timeout
     */
    public void greet(Duration timeout) {
        enableKeepalive(timeout);
        send(HELLO);
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                boolean open = fill();
                String received = new String(in.array(), 0, in.position(), StandardCharsets.ISO_8859_1);
                if (received.startsWith(HELLO + "\n")) {
                    takeLine();
                    return;
                }
                if (!(HELLO + "\n").startsWith(received)) {
                    throw new SampleFailure("the peer is another program: it sent \"" + printable(received)
                            + "\". Both sides must be samples/run of the same version; the programs of perftest have"
                            + " another protocol.");
                }
                if (!open) {
                    throw ended();
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new SampleFailure("the peer sent nothing for " + timeout.toSeconds()
                            + " s: is it samples/run with the same program?");
                }
                await(left);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Sets the TCP keepalive times, where the system supports that, to detect that the peer's machine is down. */
    private void enableKeepalive(Duration interval) {
        int seconds = Math.clamp(interval.toSeconds(), 1, MAX_KEEPALIVE_SECONDS);
        try {
            for (SocketOption<Integer> option : KEEPALIVE) {
                if (channel.supportedOptions().contains(option)) {
                    channel.setOption(option, seconds);
                }
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static String printable(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.replaceAll("[^ -~]+$", "").replaceAll("[^ -~]", "?");
    }

    /** Sends a line. */
    public void send(String line) {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Waits for the next line without a timeout.
     *
     * @param word the expected first word
     * @return the words after it
     */
    public String[] receive(String word) {
        return words(word, receive());
    }

    /**
     * Waits for the next line.
     *
     * @param word the expected first word
     * @param timeout the time to wait
     * @return the words after it
     * @throws SampleFailure if no line arrives within the timeout
     */
    public String[] receive(String word, Duration timeout) {
        String line = next(timeout.toNanos());
        if (line == null) {
            throw new SampleFailure("the peer sent nothing for " + timeout.toSeconds() + " s where \"" + word
                    + "\" was expected.");
        }
        return words(word, line);
    }

    private static String[] words(String word, String line) {
        if (line.equals(word)) {
            return new String[0];
        }
        if (!line.startsWith(word + " ")) {
            throw new SampleFailure("the peer sent \"" + printable(line) + "\" where \"" + word + "\" was expected.");
        }
        return line.substring(word.length() + 1).split(" ");
    }

    /** {@return the next line, without a timeout} */
    public String receive() {
        return next(0);
    }

    /** {@return the next line; null if none arrives within a number of nanoseconds, of which 0 means no timeout} */
    private String next(long timeout) {
        long deadline = System.nanoTime() + timeout;
        try {
            while (true) {
                String line = takeLine();
                if (line != null) {
                    return line;
                }
                if (!fill()) {
                    throw ended();
                }
                if (in.position() == 0 || !hasLine()) {
                    long left = timeout == 0 ? 0 : deadline - System.nanoTime();
                    if (timeout > 0 && left <= 0) {
                        return null;
                    }
                    await(left);
                }
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Throws if the peer has failed or closed the connection. Does not wait, and does not consume other lines. */
    void checkPeer() {
        try {
            boolean open = fill();
            String received = new String(in.array(), 0, in.position(), StandardCharsets.US_ASCII);
            if (received.startsWith(FAILED + " ") && hasLine()) {
                takeLine();
            }
            if (!open) {
                throw ended();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Sends the reason of a failure to the peer. If that fails, the peer detects that the connection is closed. */
    public void fail(String sentence) {
        try {
            channel.write(ByteBuffer.wrap((FAILED + " " + sentence.replace('\n', ' ') + "\n")
                    .getBytes(StandardCharsets.US_ASCII)));
            channel.shutdownOutput();
        } catch (IOException e) {
            // the connection is closed next
        }
    }

    private boolean fill() throws IOException {
        if (!in.hasRemaining()) {
            throw new SampleFailure("the peer sent a line of more than " + LONGEST_LINE + " bytes: \""
                    + printable(new String(in.array(), 0, 40, StandardCharsets.US_ASCII)) + "...\".");
        }
        return channel.read(in) >= 0;
    }

    private boolean hasLine() {
        for (int i = 0; i < in.position(); i++) {
            if (in.get(i) == '\n') {
                return true;
            }
        }
        return false;
    }

    /** {@return the first complete received line, null if there is none} Throws if it is the peer's failure. */
    private String takeLine() {
        if (!hasLine()) {
            return null;
        }
        in.flip();
        StringBuilder line = new StringBuilder();
        for (char c = (char) in.get(); c != '\n'; c = (char) in.get()) {
            line.append(c);
        }
        in.compact();
        if (line.indexOf(FAILED + " ") == 0) {
            throw new PeerFailure("the peer failed: " + line.substring(FAILED.length() + 1));
        }
        return line.toString();
    }

    private void await(long nanos) throws IOException {
        selector.select(nanos == 0 ? 0 : Math.max(1, Duration.ofNanos(nanos).toMillis()));
        selector.selectedKeys().clear();
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted while waiting for the peer.");
        }
    }

    private static SampleFailure ended() {
        return new PeerFailure("the peer exited before the end of the test; its output may say why.");
    }

    private static SampleFailure failed(IOException e) {
        return new PeerFailure("the TCP connection to the peer failed: " + e.getMessage() + ".");
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** A failure of the peer or of the connection to it, which is not sent to the peer. */
    public static final class PeerFailure extends SampleFailure {
        private static final long serialVersionUID = 1L;

        public PeerFailure(String sentence) {
            super(sentence);
        }
    }
}
