package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.samples.console.UsageFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ping-pong over a reliable connection. Interoperates with {@code ibv_rc_pingpong}. */
@Command(name = "rc-pingpong", exitCodeOnInvalidInput = 1, description = "Measures round trips over RC; interoperates"
        + " with ibv_rc_pingpong.")
public final class RcPingPongCommand extends PingPongCommand {
    private static final int DEFAULT_SIZE = 4096;

    @Mixin
    private MtuOption mtu;
    @Option(names = {"-o", "--odp"}, hidden = true)
    private boolean onDemandPaging;
    @Option(names = {"-O", "--iodp"}, hidden = true)
    private boolean implicitOnDemandPaging;
    @Option(names = {"-P", "--prefetch"}, hidden = true)
    private boolean prefetch;
    @Option(names = {"-t", "--ts"}, hidden = true)
    private boolean timeStamps;
    @Option(names = {"-j", "--dm"}, hidden = true)
    private boolean deviceMemory;
    @Option(names = {"-N", "--new_send"}, hidden = true)
    private boolean newSend;
    @Option(names = {"-U", "--allow-cc-unprotected"}, hidden = true)
    private boolean unprotected;

    /** Creates the command. */
    public RcPingPongCommand() {
        super(new RcTransport(), DEFAULT_SIZE);
    }

    @Override
    Mtu mtu() {
        return mtu.value();
    }

    @Override
    void refuseUnsupported() {
        refuse(onDemandPaging, "--odp", "on-demand paging");
        refuse(implicitOnDemandPaging, "--iodp", "implicit on-demand paging");
        refuse(prefetch, "--prefetch", "on-demand paging, and therefore no prefetching");
        refuse(timeStamps, "--ts", "completion timestamps");
        refuse(deviceMemory, "--dm", "device memory");
        refuse(newSend, "--new_send", "ibv_wr_start");
        refuse(unprotected, "--allow-cc-unprotected", "unprotected memory of confidential virtual machines");
    }

    /** Throws if an option was given that asks for a feature which jverbs does not have. */
    static void refuse(boolean given, String option, String feature) {
        if (given) {
            throw new UsageFailure(option + " is not supported: jverbs has no " + feature + ".");
        }
    }
}
