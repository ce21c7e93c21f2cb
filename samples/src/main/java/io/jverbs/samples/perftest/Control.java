package io.jverbs.samples.perftest;

import io.jverbs.samples.SampleFailure;
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
 * The TCP connection of both sides: lines of words, the first of which says what it is. A side that fails tells why, so that the
 * other one need not guess. For one thread.
 */
final class Control implements AutoCloseable {
    /** The first line each way. A side of another program, or of another version of this one, is noticed by it. */
    static final String HELLO = "jverbs perftest 2";

    private static final String FAILED = "failed";
    private static final int LONGEST_LINE = 4096;
    private static final int MAX_KEEPALIVE_SECONDS = 32_767;
    private static final List<SocketOption<Integer>> KEEPALIVE = List.of(ExtendedSocketOptions.TCP_KEEPIDLE,
            ExtendedSocketOptions.TCP_KEEPINTERVAL);

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocate(LONGEST_LINE);

    Control(SocketChannel channel) throws IOException {
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

    /** Exchanges greetings with the peer, which says its own within the time unless it is no such program. */
    void greet(Duration patience) {
        notice(patience);
        send(HELLO);
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (true) {
                boolean open = fill();
                String said = new String(in.array(), 0, in.position(), StandardCharsets.ISO_8859_1);
                if (said.startsWith(HELLO + "\n")) {
                    takeLine();
                    return;
                }
                if (!(HELLO + "\n").startsWith(said)) {
                    throw new SampleFailure("the program at the other end is not this one: it said \""
                            + printable(said) + "\". Both sides must be samples/run of one version;"
                            + " the programs of perftest speak otherwise.");
                }
                if (!open) {
                    throw ended();
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new SampleFailure("the program at the other end said nothing for " + patience.toSeconds()
                            + " s: is it samples/run with one of these tests?");
                }
                await(left);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Has the system look after a peer that is silent, where it lets programs say how often: its machine may be gone. */
    private void notice(Duration patience) {
        int seconds = Math.clamp(patience.toSeconds(), 1, MAX_KEEPALIVE_SECONDS);
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
    void send(String line) {
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
     * Waits for the next line, however long the peer takes.
     *
     * @param word its first word
     * @return what follows that word, divided at blanks
     */
    String[] receive(String word) {
        return words(word, receive());
    }

    /**
     * Waits for a line that the peer has no reason to be late with.
     *
     * @param word its first word
     * @param patience how long
     * @return what follows that word, divided at blanks
     */
    String[] receive(String word, Duration patience) {
        String line = next(patience.toNanos());
        if (line == null) {
            throw new SampleFailure("the peer said nothing for " + patience.toSeconds() + " s where \"" + word
                    + "\" was expected.");
        }
        return words(word, line);
    }

    private static String[] words(String word, String line) {
        if (line.equals(word)) {
            return new String[0];
        }
        if (!line.startsWith(word + " ")) {
            throw new SampleFailure("the peer said \"" + printable(line) + "\" where \"" + word + "\" was expected.");
        }
        return line.substring(word.length() + 1).split(" ");
    }

    /** {@return the next line, however long the peer takes} */
    String receive() {
        return next(0);
    }

    /** The next line; null if it does not come in so many nanoseconds, of which 0 are without end. */
    private String next(long patience) {
        long deadline = System.nanoTime() + patience;
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
                    long left = patience == 0 ? 0 : deadline - System.nanoTime();
                    if (patience > 0 && left <= 0) {
                        return null;
                    }
                    await(left);
                }
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Throws if the peer is not there any more, or has failed; does not wait, and leaves other lines where they are. */
    void look() {
        try {
            boolean open = fill();
            String said = new String(in.array(), 0, in.position(), StandardCharsets.US_ASCII);
            if (said.startsWith(FAILED + " ") && hasLine()) {
                takeLine();
            }
            if (!open) {
                throw ended();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Tells the peer why this side ends; if it cannot be told, it will notice. */
    void fail(String sentence) {
        try {
            channel.write(ByteBuffer.wrap((FAILED + " " + sentence.replace('\n', ' ') + "\n")
                    .getBytes(StandardCharsets.US_ASCII)));
            channel.shutdownOutput();
        } catch (IOException e) {
            // It is closed next.
        }
    }

    private boolean fill() throws IOException {
        if (!in.hasRemaining()) {
            throw new SampleFailure("the peer said more than it should: \"" + printable(new String(in.array(), 0, 40,
                    StandardCharsets.US_ASCII)) + "...\".");
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

    /** The first line of what has come, null if it has not come whole; throws if it says that the peer failed. */
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
            throw new PeerFailure("the peer gave up: " + line.substring(FAILED.length() + 1));
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
        return new PeerFailure("the peer ended before the test did; its output may tell why.");
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

    /** It is the peer that failed, or the way to it: there is nobody to be told. */
    static final class PeerFailure extends SampleFailure {
        private static final long serialVersionUID = 1L;

        PeerFailure(String sentence) {
            super(sentence);
        }
    }
}
