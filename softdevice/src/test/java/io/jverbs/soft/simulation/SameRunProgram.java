package io.jverbs.soft.simulation;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;

/** A program of one thread on a bad network, which prints all that the seed decides. */
public final class SameRunProgram {
    private static final String FAULTS = "&loss=0.05&burst=0.01,0.8&duplicate=0.05&reorder=0.05,20us&corrupt=0.05&jitter=3us"
            + "&bandwidth=10Gbit";

    private SameRunProgram() {}

    /**
     * Runs it.
     *
     * @param arguments the seed
     */
    public static void main(String[] arguments) {
        System.out.println(run(Long.parseLong(arguments[0])));
    }

    private static void check(boolean condition, Couple couple) {
        if (!condition) {
            throw new IllegalStateException(couple.completions + " after " + couple.network.packetLog());
        }
    }

    /** Numbers, keys, addresses and the hash of all packets. */
    static String run(long seed) {
        try (Couple couple = new Couple(QpType.RC, 3000, "seed=" + seed + "&network=same" + FAULTS)) {
            for (int i = 0; i < 50; i++) {
                couple.receive(i);
                couple.write(i);
                couple.send(i);
                couple.one
                        .postSend(SendWorkRequest.create(1).wrId(i).opcode(WrOpcode.RDMA_READ).flags(SendFlags.SIGNALED)
                                .sge(couple.source, 0, 2000).remote(couple.target.address(), couple.target.rkey()));
                for (int left = 3; left > 0;) {
                    if (couple.hasSent()) {
                        check(couple.status() == WcStatus.SUCCESS, couple);
                        left--;
                    }
                }
                check(couple.hasReceived(), couple);
            }
            return couple.one + " " + couple.other + " " + couple.one.localInfo() + " " + couple.other.localInfo() + " "
                    + couple.source + " " + couple.target + " " + couple.network.now() + " "
                    + couple.network.packetCount() + " " + couple.network.packetLogHash();
        }
    }
}
