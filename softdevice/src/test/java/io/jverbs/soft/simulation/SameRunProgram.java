package io.jverbs.soft.simulation;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;

/** A single-threaded program on a network with faults, which prints everything that the seed determines. */
public final class SameRunProgram {
    private static final String FAULTS = "&loss=0.05&burst=0.01,0.8&duplicate=0.05&reorder=0.05,20us&corrupt=0.05"
            + "&jitter=3us&bandwidth=10Gbit";

    private SameRunProgram() {}

    /**
     * Runs the program.
     *
     * @param arguments the seed
     */
    public static void main(String[] arguments) {
        System.out.println(run(Long.parseLong(arguments[0])));
    }

    private static void check(boolean condition, ConnectedPair pair) {
        if (!condition) {
            throw new IllegalStateException(pair.completions + " after " + pair.network.packetLog());
        }
    }

    /** Runs traffic; returns numbers, keys, addresses and the hash of all packets. */
    static String run(long seed) {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 3000, "seed=" + seed + "&network=same" + FAULTS)) {
            for (int i = 0; i < 50; i++) {
                pair.receive(i);
                pair.write(i);
                pair.send(i);
                pair.one
                        .postSend(SendWorkRequest.create(1).wrId(i).opcode(WrOpcode.RDMA_READ).flags(SendFlags.SIGNALED)
                                .sge(pair.source, 0, 2000).remote(pair.target.address(), pair.target.rkey()));
                for (int left = 3; left > 0;) {
                    if (pair.hasSent()) {
                        check(pair.status() == WcStatus.SUCCESS, pair);
                        left--;
                    }
                }
                check(pair.hasReceived(), pair);
            }
            return pair.one + " " + pair.other + " " + pair.one.localInfo() + " " + pair.other.localInfo() + " "
                    + pair.source + " " + pair.target + " " + pair.network.now() + " "
                    + pair.network.packetCount() + " " + pair.network.packetLogHash();
        }
    }
}
