package io.jverbs.contract.interop;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The process with the kernel's device. It runs traffic with the {@link Follower} in which each opcode of RC, UC and UD
 * is sent in each direction, and captures it. Then a packet of the software device is sent again, with one bit flipped
 * and unchanged.
 *
 * <p>
 * rxe counts packets that have passed all checks ({@code rcvd_pkts}), but not packets that it drops. UDP counts each
 * received datagram after rxe has handled it. The difference is the number of packets that rxe has dropped.
 */
final class OpcodeTraffic {
    private static final int SOFT = 2;
    private static final int UD_SEND_ONLY = 0x64;
    private static final int BTH = 12;
    private static final int DETH = 8;
    private static final int ICRC = 4;
    private static final long SECONDS = 30;

    private final Control control;
    private final Round round;
    private final Capture capture;
    private final IcrcChecks checks = new IcrcChecks();
    private int raw;

    private OpcodeTraffic(RdmaContext context, Control control, Path file, long seed)
            throws IOException, InterruptedException {
        this.control = control;
        capture = new Capture(file);
        control.send("opcodes " + seed);
        round = new Round(context, control, Plan.everyOpcode(seed, true), Plan.everyOpcode(seed, false));
    }

    /**
     * Runs the leader.
     *
     * @param args the selector of the device; the path of the follower's socket; the seed; the file for the capture;
     *            the file for the request packets that the capture must contain, each line an address and the text of
     *            {@link WirePackets}
     */
    public static void main(String[] args) {
        int status = 0;
        try (RdmaContext context = Verbs.open(args[0]);
                Control control = Control.connect(Path.of(args[1]), 120)) {
            long seed = Long.parseLong(args[2]);
            writeExpected(Path.of(args[4]), seed);
            new OpcodeTraffic(context, control, Path.of(args[3]), seed).run();
            control.send("end");
        } catch (IOException | InterruptedException | RuntimeException e) {
            e.printStackTrace();
            status = 1;
        }
        // a blocked queue pair must not prevent the process from ending
        Runtime.getRuntime().halt(status);
    }

    private static void writeExpected(Path file, long seed) throws IOException {
        List<String> lines = new ArrayList<>();
        WirePackets.of(Plan.everyOpcode(seed, true)).forEach(line -> lines.add("192.0.2.1\t" + line));
        WirePackets.of(Plan.everyOpcode(seed, false)).forEach(line -> lines.add("192.0.2.2\t" + line));
        Files.write(file, lines);
    }

    private void run() throws IOException, InterruptedException {
        Map<String, Long> before = Network.rxeCounters();
        long datagrams = Network.datagrams();
        round.run(() -> {});
        round.checkNothingLost();
        control.barrier("nothing is lost");
        List<Capture.Packet> packets = awaitAccepted(before, datagrams);
        long sent = sentBySoft(packets);
        System.out.printf(
                "rxe-capture: %d packets from rxe0; %d from the software device, all accepted by rxe0%n",
                packets.size() - sent, sent);
        Capture.Packet datagram = packets.stream()
                .filter(packet -> packet.source() == SOFT && packet.opcode() == UD_SEND_ONLY).findFirst().orElseThrow();
        int length = datagram.payload().length;
        // then only the ICRC is wrong
        flip("the PSN", datagram, BTH - 1);
        flip("the source queue pair's number", datagram, BTH + DETH - 1);
        flip("the payload", datagram, BTH + DETH + 1);
        flip("the ICRC", datagram, length - 1);
        accept(datagram);
        awaitCaptured(packets);
        capture.end();
    }

    private static long sentBySoft(List<Capture.Packet> packets) {
        return packets.stream().filter(packet -> packet.source() == SOFT).count();
    }

    /** Waits until all captured packets have been received and accepted. */
    private List<Capture.Packet> awaitAccepted(Map<String, Long> before, long datagrams)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        while (true) {
            Effect effect = effect(before.get("rcvd_pkts"), datagrams, new IcrcChecks.Count(0, 0));
            List<Capture.Packet> packets = capture.packets();
            long sent = sentBySoft(packets);
            if (effect.equals(new Effect(sent, sent, new IcrcChecks.Count(sent, 0)))) {
                return packets;
            }
            Faulty.check(System.nanoTime() < end, "of %d packets: %s", sent, effect);
            Thread.sleep(200);
        }
    }

    /** Waits until the file contains the last packet, and thus all others. */
    private void awaitCaptured(List<Capture.Packet> before) throws IOException, InterruptedException {
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        while (sentBySoft(capture.packets()) < sentBySoft(before) + raw) {
            Faulty.check(System.nanoTime() < end, "the capture does not contain the last packet");
            Thread.sleep(200);
        }
    }

    /** Sends the packet with one bit flipped, and checks that it is only dropped. */
    private void flip(String what, Capture.Packet datagram, int at) throws IOException, InterruptedException {
        byte[] payload = datagram.payload().clone();
        payload[at] ^= (byte) (1 << new SplittableRandom(at).nextInt(Byte.SIZE));
        Effect effect = send(payload);
        Faulty.check(effect.equals(new Effect(1, 0, new IcrcChecks.Count(0, 1))), "a bit of %s was flipped: %s", what,
                effect);
        Faulty.check(round.pollStray() == 0, "a bit of %s was flipped, and the packet was received", what);
        System.out.printf("rxe-capture: a bit of %s was flipped: rxe0 detected a wrong ICRC and dropped the packet%n",
                what);
    }

    /** Sends the packet unchanged, and checks that it is received. */
    private void accept(Capture.Packet datagram) throws IOException, InterruptedException {
        Effect effect = send(datagram.payload());
        Faulty.check(effect.equals(new Effect(1, 1, new IcrcChecks.Count(1, 0))), "the unchanged packet: %s", effect);
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        int received;
        do {
            Faulty.check(System.nanoTime() < end, "the unchanged packet was not received");
            received = round.pollStray();
        } while (received == 0);
        Faulty.check(received == 1, "%d packets were received instead of one", received);
        System.out.println("rxe-capture: the unchanged packet: rxe0 received it");
    }

    /** The effect of a packet on rxe0: received datagrams, accepted packets, and results of ICRC checks. */
    private record Effect(long received, long accepted, IcrcChecks.Count icrcs) {}

    private Effect send(byte[] payload) throws IOException, InterruptedException {
        raw++;
        long datagrams = Network.datagrams();
        long accepted = Network.rxeCounters().get("rcvd_pkts");
        IcrcChecks.Count before = checks.count();
        Faulty.check(control.exchange("raw 192.0.2.1 " + HexFormat.of().formatHex(payload)).equals("sent"), "not sent");
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        while (Network.datagrams() == datagrams) {
            Faulty.check(System.nanoTime() < end, "the packet did not arrive");
            Thread.sleep(10);
        }
        return effect(accepted, datagrams, before);
    }

    private Effect effect(long accepted, long datagrams, IcrcChecks.Count before) throws IOException {
        return new Effect(Network.datagrams() - datagrams, Network.rxeCounters().get("rcvd_pkts") - accepted,
                checks.count().since(before));
    }
}
