package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.samples.connect.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ping-pong over several reliable connections that share their receives; plays with {@code ibv_srq_pingpong} too. */
@Command(name = "srq-pingpong", exitCodeOnInvalidInput = 1, description = "Times messages that go to and fro over several RC"
        + " queue pairs with one SRQ; plays with ibv_srq_pingpong too.")
public final class SrqPingPongCommand extends PingPongCommand {
    private static final int DEFAULT_SIZE = 4096;
    private static final int MAX_QUEUE_PAIRS = 255;
    /** Whatever the number of queue pairs, the C program sends and awaits so many addresses. */
    private static final int ADDRESSES = MAX_QUEUE_PAIRS + 1;

    @Mixin
    private MtuOption mtu;
    @Option(names = {"-q",
        "--num-qp"}, paramLabel = "N", defaultValue = "16", description = "How many queue pairs, the same on"
                + " both sides; all of their messages together count for --iters; ${DEFAULT-VALUE}.")
    private String queuePairs;
    @Option(names = {"-o", "--odp"}, hidden = true)
    private boolean onDemandPaging;

    /** Makes the command. */
    public SrqPingPongCommand() {
        super(new RcTransport(), DEFAULT_SIZE);
    }

    /** Fills up addresses to the number that is exchanged. */
    static List<Destination> padded(List<Destination> destinations) {
        List<Destination> padded = new ArrayList<>(destinations);
        padded.addAll(Collections.nCopies(ADDRESSES - destinations.size(), Destination.NONE));
        return padded;
    }

    @Override
    Mtu mtu() {
        return mtu.value();
    }

    @Override
    int queuePairs(int receives) {
        int count = Numbers.read("--num-qp", queuePairs, 1, MAX_QUEUE_PAIRS);
        if (count > receives) {
            throw new IllegalArgumentException("--num-qp " + count + " is more than --rx-depth " + receives
                    + ", but each queue pair needs a receive");
        }
        return count;
    }

    @Override
    boolean sharesReceives() {
        return true;
    }

    @Override
    void refuseWhatIsNotThere() {
        RcPingPongCommand.refuse(onDemandPaging, "--odp", "on-demand paging");
    }
}
