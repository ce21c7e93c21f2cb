package io.jverbs.soft.fuzz;

import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.soft.fabric.udp.ScriptedDevice;
import io.jverbs.soft.faults.HostileMessages;
import io.jverbs.soft.faults.ManagementAttacker;
import io.jverbs.soft.faults.ManagementVictim;
import io.jverbs.soft.management.CmProbe;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Deth;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The fuzz target of Jazzer for QP1. An input is a script of datagrams to the connection manager of a device, of clock
 * advances and of turns of a program that listens, connects, and accepts with queue pairs.
 */
public final class ConnectionFuzzer {
    private static final int MAX_STEPS = 64;
    private static final int PORT = 7471;
    private static final Runner RUNNER = new Runner();

    private ConnectionFuzzer() {}

    /** Takes each random number from one byte of a script, so that an input of few bytes has many messages. */
    private static final class ScriptedRandom extends Random {
        private static final long serialVersionUID = 1L;

        private transient Script script = new Script(new byte[0]);

        @Override
        protected int next(int bits) {
            return script == null ? 0 : script.next() * 0x01010101 >>> Integer.SIZE - bits;
        }
    }

    /** Runs inputs sequentially on one device. */
    static final class Runner {
        private final ScriptedRandom choices = new ScriptedRandom();
        private final VirtualTimers timers = new VirtualTimers();
        private final HostileMessages messages = new HostileMessages(choices, FuzzedDevice.GID, PORT);
        private final ManagementAttacker attacker = new ManagementAttacker(choices, FuzzedDevice.GID, messages);
        private final ScriptedDevice device = new ScriptedDevice(FuzzedDevice.GID, timers, new Random(1), this::sent);
        private final RdmaContext context = device.open();
        private final PacketAccounting accounting = new PacketAccounting(device.port());
        private final ManagementVictim program = new ManagementVictim(context, choices, address(FuzzedDevice.GID),
                address(FuzzedDevice.PEER));
        private final CmProbe manager = new CmProbe(device.port());
        private long delivered;
        private long sent;

        private static InetSocketAddress address(Gid gid) {
            return new InetSocketAddress(gid.toInetAddress(), PORT);
        }

        /** Takes note of the IDs that the device has told. */
        private void sent(ByteBuffer packet, InetSocketAddress to) {
            byte[] datagram = new byte[ManagementDatagram.BYTES];
            packet.get(packet.position() + Bth.BYTES + Deth.BYTES, datagram);
            messages.learn(datagram);
            sent++;
        }

        void run(byte[] input) {
            Script script = new Script(input);
            choices.script = script;
            messages.forget();
            try {
                for (int step = 0; step < MAX_STEPS && !script.isOver(); step++) {
                    step(script);
                }
                finish();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void step(Script script) throws InterruptedException {
            int what = script.next();
            switch (what >>> 5) {
                case 0 -> program.run();
                case 1 -> program.drain();
                case 2 -> timers.advance(1L << 20 + (what & 15));
                default -> {
                    accounting.open();
                    delivered++;
                    device.wire().deliver(attacker.next(), attacker.source());
                    accounting.expectOne();
                }
            }
        }

        /** Checks that nothing is left once the program has closed its IDs and all times have passed. */
        private void finish() throws InterruptedException {
            program.drain();
            program.closeIds();
            // a peer may ask for a TIMEWAIT of 2.3 hours
            timers.advance(Long.MAX_VALUE >>> 20);
            program.drain();
            program.closeIds();
            if (manager.size() != 0 || timers.pending() != 0) {
                throw new AssertionError(manager.size() + " entries in the tables and " + timers.pending()
                        + " timers remain");
            }
        }

        long delivered() {
            return delivered;
        }

        long sent() {
            return sent;
        }

        PacketAccounting accounting() {
            return accounting;
        }

        ManagementVictim program() {
            return program;
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
        System.gc();
        return "packets=" + runner.delivered() + " counted=" + runner.accounting().total() + " heap="
                + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " sent=" + runner.sent() + " "
                + runner.accounting();
    }
}
