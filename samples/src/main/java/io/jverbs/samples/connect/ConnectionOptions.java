package io.jverbs.samples.connect;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that programs which run as server and client have in common, with the names of the C programs. */
public final class ConnectionOptions {
    private static final int MAX_TCP_PORT = 65_535;
    private static final int MAX_PORT = 255;
    private static final int MAX_GID_INDEX = 65_535;
    private static final int MAX_SERVICE_LEVEL = 15;

    @Parameters(arity = "0..1", paramLabel = "HOST", description = "The server to connect to; without it, this program"
            + " is the server.")
    private String host;
    @Option(names = {"-p", "--port"}, paramLabel = "PORT", defaultValue = "18515", description = "The TCP port of the"
            + " connection over which the two sides exchange their addresses; default ${DEFAULT-VALUE}.")
    private String tcpPort;
    @Option(names = {"-d", "--ib-dev"}, paramLabel = "DEVICE", description = "The device: a name such as rxe0 or a"
            + " selector such as soft:soft1; by default the device that -Djverbs.device selects.")
    private String device;
    @Option(names = {"-i", "--ib-port"}, paramLabel = "PORT", defaultValue = "1", description = "The device's port;"
            + " default ${DEFAULT-VALUE}.")
    private String port;
    @Option(names = {"-e", "--events"}, description = "Waits for completion events instead of polling.")
    private boolean events;

    /** Creates the options, whose values picocli sets. */
    public ConnectionOptions() {
        // no defaults except those above
    }

    /** {@return the server to connect to; null if this program is the server} */
    public String host() {
        return host;
    }

    /**
     * {@return the TCP port}
     *
     * @throws IllegalArgumentException if the value is not allowed; the message names the range
     */
    public int tcpPort() {
        return Numbers.read("--port", tcpPort, 1, MAX_TCP_PORT);
    }

    /** {@return the name or the selector of the device; null for the default} */
    public String device() {
        return device;
    }

    /**
     * {@return the port of the device}
     *
     * @throws IllegalArgumentException if the value is not allowed; the message names the range
     */
    public int port() {
        return Numbers.read("--ib-port", port, 1, MAX_PORT);
    }

    /** {@return whether to wait for completion events instead of polling} */
    public boolean events() {
        return events;
    }

    /**
     * {@return the index of the local GID, {@link LocalAddress#NO_GID_INDEX} if the option was not given}
     *
     * @param option the name of the option, which differs between the C programs
     * @param value its value, or null
     * @throws IllegalArgumentException if the value is not allowed; the message names the range
     */
    public static int gidIndex(String option, String value) {
        return value == null ? LocalAddress.NO_GID_INDEX : Numbers.read(option, value, 0, MAX_GID_INDEX);
    }

    /**
     * {@return the service level}
     *
     * @param value the value of the option
     * @throws IllegalArgumentException if the value is not allowed; the message names the range
     */
    public static int serviceLevel(String value) {
        return Numbers.read("--sl", value, 0, MAX_SERVICE_LEVEL);
    }
}
