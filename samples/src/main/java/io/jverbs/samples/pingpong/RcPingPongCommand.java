package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.samples.SampleFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ping-pong over a reliable connection; plays with {@code ibv_rc_pingpong} too. */
@Command(name = "rc-pingpong", exitCodeOnInvalidInput = 1, description = "Times messages that go to and fro over RC; plays with"
        + " ibv_rc_pingpong too.")
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

    /** Makes the command. */
    public RcPingPongCommand() {
        super(new RcTransport(), DEFAULT_SIZE);
    }

    @Override
    Mtu mtu() {
        return mtu.value();
    }

    @Override
    void refuseWhatIsNotThere() {
        refuse(onDemandPaging, "--odp", "on-demand paging");
        refuse(implicitOnDemandPaging, "--iodp", "implicit on-demand paging");
        refuse(prefetch, "--prefetch", "on-demand paging, and so no prefetching");
        refuse(timeStamps, "--ts", "time stamps of completions");
        refuse(deviceMemory, "--dm", "device memory");
        refuse(newSend, "--new_send", "posting by ibv_wr_start");
        refuse(unprotected, "--allow-cc-unprotected", "unprotected memory of confidential machines");
    }

    /** Says that an option asks for something that jverbs does not have. */
    static void refuse(boolean given, String option, String what) {
        if (given) {
            throw new SampleFailure(option + " is of no use: jverbs has no " + what + ".");
        }
    }
}
