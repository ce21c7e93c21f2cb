package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.QpType;
import io.jverbs.samples.connect.ConnectionOptions;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.UsageFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The common options of the ping-pongs, with the names and defaults of the C programs. */
abstract class PingPongCommand implements Callable<Integer> {
    private static final int MAX_SIZE = 1 << 30;
    private static final int MAX_RECEIVES = 1 << 24;

    @Option(names = {"-s", "--size"}, paramLabel = "BYTES", description = "The length of a message; default 4096, 1024"
            + " for datagrams.")
    private String size;
    @Option(names = {"-r", "--rx-depth"}, paramLabel = "N", defaultValue = "500", description = "The number of posted"
            + " receives; default ${DEFAULT-VALUE}.")
    private String receiveDepth;
    @Option(names = {"-n", "--iters"}, paramLabel = "N", defaultValue = "1000", description = "The number of messages"
            + " in each direction; default ${DEFAULT-VALUE}.")
    private String iterations;
    @Option(names = {"-l", "--sl"}, paramLabel = "SL", defaultValue = "0", description = "The service level;"
            + " default ${DEFAULT-VALUE}.")
    private String serviceLevel;
    @Option(names = {"-g", "--gid-idx"}, paramLabel = "INDEX", description = "The index of the local GID in the port's"
            + " GID table; on Ethernet, by default, the GID that the port prefers.")
    private String gidIndex;
    @Option(names = {"-c", "--chk"}, description = "Sends different contents in each message and checks each byte.")
    private boolean check;
    @Option(names = {"-R", "--rdma_cm"}, description = "Connects with rdma_cm: HOST is the address of the server's"
            + " device. On both sides, which are programs of samples/run.")
    private boolean rdmaCm;
    @Mixin
    private ConnectionOptions sides;
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
            refuseUnsupported();
            refuseWithRdmaCm();
            int receives = Numbers.read("--rx-depth", receiveDepth, 1, MAX_RECEIVES);
            return new Settings(sides.host(), sides.tcpPort(), sides.device(), sides.port(),
                    size == null ? defaultSize : Numbers.read("--size", size, 1, MAX_SIZE), mtu(), receives,
                    Numbers.read("--iters", iterations, 1, Integer.MAX_VALUE),
                    ConnectionOptions.serviceLevel(serviceLevel), sides.events(),
                    ConnectionOptions.gidIndex("--gid-idx", gidIndex), check, queuePairs(receives), rdmaCm);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Throws if rdma_cm is to do what it cannot do. */
    private void refuseWithRdmaCm() {
        if (rdmaCm && transport.type() == QpType.UC) {
            throw new UsageFailure("--rdma_cm connects RC and UD, but not UC: omit it.");
        }
        if (rdmaCm && gidIndex != null) {
            throw new UsageFailure("--gid-idx " + gidIndex + " is not applicable with --rdma_cm, which chooses the GID"
                    + " by the address of the server: omit it.");
        }
    }

    /** Throws if an option of the C program was given that jverbs does not support. */
    void refuseUnsupported() {}

    /** {@return the path MTU; ignored for datagrams} */
    Mtu mtu() {
        return Mtu.MTU_1024;
    }

    /** {@return the number of queue pairs, given the number of posted receives} */
    int queuePairs(int receives) {
        return 1;
    }

    /** {@return whether the queue pairs share a receive queue} */
    boolean sharesReceives() {
        return false;
    }
}
