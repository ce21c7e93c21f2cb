package io.jverbs.soft.fuzz;

import java.lang.management.ManagementFactory;

/**
 * The fuzz target: an input is a script of packets for the queue pairs of a device, of time that passes and of what its
 * program does. Jazzer looks for inputs that reach code which no other reached; what fails is kept in a file, which
 * {@link ReceivePathTest} runs again.
 */
public final class ReceivePathFuzzer {
    private static final int MOST_STEPS = 64;
    private static final int NOWHERE = 0xABCDEF;
    private static final int GROUP = 0xFFFFFF;

    private static final Runner RUNNER = new Runner();

    private ReceivePathFuzzer() {}

    /** Runs inputs one after the other against one device. */
    static final class Runner {
        private final Victim victim = new Victim();
        private final Forge forge = new Forge(Victim.GID, Victim.PEER, Victim.STRANGER, victim);

        Victim victim() {
            return victim;
        }

        void run(byte[] input) {
            Script script = new Script(input);
            for (int step = 0; step < MOST_STEPS && !script.isOver(); step++) {
                step(script);
            }
            victim.finish();
        }

        private void step(Script script) {
            int what = script.next();
            Target target = victim.target(what);
            int kind = what >>> 4;
            if (kind < 12) {
                int qpn = target != null ? target.qp().number() : (what & 15) == 15 ? GROUP : NOWHERE;
                victim.deliver(forge, forge.packet(script, target, qpn));
            } else if (kind == 12) {
                victim.deliver(forge, forge.raw(script));
            } else if (kind == 13) {
                victim.letTimePass(script.next());
            } else if (target == null) {
                victim.poll();
            } else if (kind == 14) {
                victim.postReceive(target, script.next());
            } else {
                victim.postSend(target);
            }
        }
    }

    /**
     * Called by Jazzer for each input.
     *
     * @param input the script
     */
    public static void fuzzerTestOneInput(byte[] input) {
        RUNNER.run(input);
    }

    /** Called by Jazzer at the end: says how many packets there were, and what became of them. */
    public static void fuzzerTearDown() {
        System.out.println(summary(RUNNER));
    }

    static String summary(Runner runner) {
        Victim victim = runner.victim();
        System.gc();
        return "packets=" + victim.delivered() + " counted=" + victim.ledger().total() + " heap="
                + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " answers="
                + victim.outlet().total() + " completions=" + victim.received() + " " + victim.ledger();
    }
}
