package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.samples.connect.Numbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Ping-pong over several reliable connections with a shared receive queue. Interoperates with {@code ibv_srq_pingpong}.
 */
@Command(name = "srq-pingpong", exitCodeOnInvalidInput = 1, description = "Measures round trips over several RC queue"
        + " pairs with one SRQ; interoperates with ibv_srq_pingpong.")
public final class SrqPingPongCommand extends PingPongCommand {
    private static final int DEFAULT_SIZE = 4096;
    private static final int MAX_QUEUE_PAIRS = 255;
    /** The number of addresses that the C program sends and expects, whatever the number of queue pairs. */
    private static final int ADDRESSES = MAX_QUEUE_PAIRS + 1;

    @Mixin
    private MtuOption mtu;
    @Option(names = {"-q", "--num-qp"}, paramLabel = "N", defaultValue = "16", description = "The number of queue"
            + " pairs, the same on both sides; --iters counts the messages of all; default ${DEFAULT-VALUE}.")
    private String queuePairs;
    @Option(names = {"-o", "--odp"}, hidden = true)
    private boolean onDemandPaging;

    /** Creates the command. */
    public SrqPingPongCommand() {
        super(new RcTransport(), DEFAULT_SIZE);
    }

    /** {@return destinations, padded with {@link Destination#NONE} to the number that is exchanged} */
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
    void refuseUnsupported() {
        RcPingPongCommand.refuse(onDemandPaging, "--odp", "on-demand paging");
    }
}
