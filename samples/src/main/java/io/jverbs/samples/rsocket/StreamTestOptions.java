package io.jverbs.samples.rsocket;

import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that rstream and riostream share: what is transferred, how often, and through which buffers. */
final class StreamTestOptions {
    private static final int MIN_BUFFER = 4096;
    private static final int MAX_BUFFER = 1 << 30;
    private static final int MAX_INLINE = 1024;
    private static final int MAX_SIZE = 1 << 30;
    private static final int DEFAULT_SIZE = 1000;
    private static final int DEFAULT_TRANSFERS = 1000;
    private static final int DEFAULT_INLINE = 64;

    @Option(names = "-B", paramLabel = "BYTES", description = "The size of the send buffer and of the receive buffer;"
            + " default 524288.")
    private String bufferSize;
    @Option(names = "-i", paramLabel = "BYTES", defaultValue = "64", description = "Up to how many bytes are sent"
            + " inline in latency tests; default ${DEFAULT-VALUE}.")
    private String inlineSize;
    @Option(names = "-I", paramLabel = "N", description = "The number of iterations. This option, -C and -S with a"
            + " number run one test in place of the series.")
    private String iterations;
    @Option(names = "-C", paramLabel = "N", description = "The number of transfers in each direction in an iteration;"
            + " default 1000.")
    private String transfers;
    @Option(names = "-S", paramLabel = "BYTES", description = "The size of a transfer, default 1000; or all, for a"
            + " series with more sizes.")
    private String size;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7471", description = "The port of the server; default"
            + " ${DEFAULT-VALUE}.")
    private String port;

    /**
     * Returns the settings of the streams.
     *
     * @param keepAliveSeconds the time after which a silent peer is checked, 0 for never
     * @throws IllegalArgumentException if an option is outside its range
     */
    StreamSettings settings(int keepAliveSeconds) {
        return new StreamSettings(
                bufferSize == null
                        ? StreamType.BUFFER_SIZE
                        : Numbers.readSize("-B", bufferSize, MIN_BUFFER, MAX_BUFFER),
                Numbers.read("-i", inlineSize, 0, MAX_INLINE), keepAliveSeconds);
    }

    /**
     * Returns the port of the server.
     *
     * @throws IllegalArgumentException if the option is outside its range
     */
    int port() {
        return Numbers.read("-p", port, 1, Hosts.MAX_PORT);
    }

    /**
     * Returns the tests, in groups that have a connection each.
     *
     * @throws IllegalArgumentException if an option is outside its range
     */
    List<StreamTestGroup> groups(StreamSettings settings) {
        boolean all = "all".equalsIgnoreCase(size);
        if (iterations == null && transfers == null && (size == null || all)) {
            List<Integer> sizes = RstreamCase.sizes(all);
            return List.of(
                    new StreamTestGroup(sizes.stream().map(RstreamCase::latency).toList(), settings.inlineSize()),
                    new StreamTestGroup(sizes.stream().map(RstreamCase::bandwidth).toList(), 0));
        }
        RstreamCase test = new RstreamCase("custom",
                size == null || all ? DEFAULT_SIZE : Numbers.readSize("-S", size, 1, MAX_SIZE),
                transfers == null ? DEFAULT_TRANSFERS : Numbers.read("-C", transfers, 1, Integer.MAX_VALUE),
                iterations == null ? 1 : Numbers.read("-I", iterations, 1, Integer.MAX_VALUE));
        return List.of(new StreamTestGroup(List.of(test), DEFAULT_INLINE));
    }
}
