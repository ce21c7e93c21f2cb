package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.samples.HelpOption;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.connect.OwnAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that all ping-pongs have, under the names and with the defaults of the C programs. */
abstract class PingPongCommand implements Callable<Integer> {
    private static final int MAX_TCP_PORT = 65_535;
    private static final int MAX_PORT = 255;
    private static final int MAX_SIZE = 1 << 30;
    private static final int MAX_RECEIVES = 1 << 24;
    private static final int MAX_SERVICE_LEVEL = 15;
    private static final int MAX_GID_INDEX = 65_535;

    @Parameters(arity = "0..1", paramLabel = "HOST", description = "The server to connect to; without it, be the server.")
    private String host;
    @Option(names = {"-p",
        "--port"}, paramLabel = "PORT", defaultValue = "18515", description = "The TCP port on which the two"
                + " tell each other their addresses; ${DEFAULT-VALUE}.")
    private String tcpPort;
    @Option(names = {"-d",
        "--ib-dev"}, paramLabel = "DEVICE", description = "The device: its name, as rxe0, or a selector, as"
                + " soft:soft1; without it, the one that -Djverbs.device names.")
    private String device;
    @Option(names = {"-i", "--ib-port"}, paramLabel = "PORT", defaultValue = "1", description = "The device's port;"
            + " ${DEFAULT-VALUE}.")
    private String port;
    @Option(names = {"-s",
        "--size"}, paramLabel = "BYTES", description = "The length of a message; 4096, with datagrams 1024.")
    private String size;
    @Option(names = {"-r",
        "--rx-depth"}, paramLabel = "N", defaultValue = "500", description = "How many receives are posted at"
                + " a time; ${DEFAULT-VALUE}.")
    private String receiveDepth;
    @Option(names = {"-n",
        "--iters"}, paramLabel = "N", defaultValue = "1000", description = "How many messages go each way;"
                + " ${DEFAULT-VALUE}.")
    private String iterations;
    @Option(names = {"-l",
        "--sl"}, paramLabel = "SL", defaultValue = "0", description = "The service level; ${DEFAULT-VALUE}.")
    private String serviceLevel;
    @Option(names = {"-e", "--events"}, description = "Sleep until a completion event comes, instead of polling.")
    private boolean events;
    @Option(names = {"-g",
        "--gid-idx"}, paramLabel = "INDEX", description = "The place of the own GID in the port's table; on"
                + " Ethernet, without it, a place is chosen.")
    private String gidIndex;
    @Option(names = {"-c", "--chk"}, description = "Send other contents each time and check each byte.")
    private boolean check;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    private final Transport transport;
    private final int defaultSize;

    PingPongCommand(Transport transport, int defaultSize) {
        this.transport = transport;
        this.defaultSize = defaultSize;
    }

    @Override
    public Integer call() {
        new Session(settings(), transport, sharesReceives(), spec.commandLine().getOut()).run();
        return ExitCode.OK;
    }

    private Settings settings() {
        try {
            refuseWhatIsNotThere();
            int receives = Numbers.read("--rx-depth", receiveDepth, 1, MAX_RECEIVES);
            return new Settings(host, Numbers.read("--port", tcpPort, 1, MAX_TCP_PORT), device,
                    Numbers.read("--ib-port", port, 1, MAX_PORT),
                    size == null ? defaultSize : Numbers.read("--size", size, 1, MAX_SIZE), mtu(), receives,
                    Numbers.read("--iters", iterations, 1, Integer.MAX_VALUE),
                    Numbers.read("--sl", serviceLevel, 0, MAX_SERVICE_LEVEL), events,
                    gidIndex == null ? OwnAddress.NO_GID_INDEX : Numbers.read("--gid-idx", gidIndex, 0, MAX_GID_INDEX),
                    check, queuePairs(receives));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Refuses options of the C program for which jverbs has nothing. */
    void refuseWhatIsNotThere() {}

    /** {@return the path MTU, or any where there is no such option} */
    Mtu mtu() {
        return Mtu.MTU_1024;
    }

    /** {@return how many queue pairs play, given how many receives are posted} */
    int queuePairs(int receives) {
        return 1;
    }

    /** {@return whether the queue pairs share their receives} */
    boolean sharesReceives() {
        return false;
    }
}
