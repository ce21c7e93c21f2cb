package io.jverbs.soft.fuzz;

import java.lang.management.ManagementFactory;

/**
 * The fuzz target of Jazzer. An input is a script of packets for the queue pairs of a device, of clock advances and of
 * verbs that the program calls. Jazzer searches for inputs that reach new code and writes inputs that fail to files,
 * which {@link ReceivePathTest} runs again.
 */
public final class ReceivePathFuzzer {
    private static final int MAX_STEPS = 64;
    private static final int UNKNOWN_QPN = 0xABCDEF;
    private static final int MULTICAST_QPN = 0xFFFFFF;

    private static final Runner RUNNER = new Runner();

    private ReceivePathFuzzer() {}

    /** Runs inputs sequentially on one device. */
    static final class Runner {
        private final FuzzedDevice device = new FuzzedDevice();
        private final PacketGenerator generator = new PacketGenerator(FuzzedDevice.GID, FuzzedDevice.PEER,
                FuzzedDevice.OTHER_HOST, device);

        FuzzedDevice device() {
            return device;
        }

        void run(byte[] input) {
            Script script = new Script(input);
            for (int step = 0; step < MAX_STEPS && !script.isOver(); step++) {
                step(script);
            }
            device.finish();
        }

        private void step(Script script) {
            int what = script.next();
            Target target = device.target(what);
            int kind = what >>> 4;
            if (kind < 12) {
                int qpn = target != null ? target.qp().number() : (what & 15) == 15 ? MULTICAST_QPN : UNKNOWN_QPN;
                device.deliver(generator, generator.packet(script, target, qpn));
            } else if (kind == 12) {
                device.deliver(generator, generator.raw(script));
            } else if (kind == 13) {
                device.advance(script.next());
            } else if (target == null) {
                device.poll();
            } else if (kind == 14) {
                device.postReceive(target, script.next());
            } else {
                device.postSend(target);
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

    /** Called by Jazzer at the end: prints the number of packets and their outcomes. */
    public static void fuzzerTearDown() {
        System.out.println(summary(RUNNER));
    }

    static String summary(Runner runner) {
        FuzzedDevice device = runner.device();
        System.gc();
        return "packets=" + device.delivered() + " counted=" + device.accounting().total() + " heap="
                + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " responses="
                + device.sentPackets().total() + " completions=" + device.received() + " " + device.accounting();
    }
}
