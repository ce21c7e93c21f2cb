package io.jverbs.contract.differential.sequence;

import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.WrOpcode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Generates random legal work requests, and counts the receives that are posted and not yet used. */
public final class Requests {

    public static final int GRH = 40;
    private static final int INLINE = 64;
    private static final List<WrOpcode> RC = List.of(WrOpcode.SEND, WrOpcode.SEND, WrOpcode.SEND_WITH_IMM,
            WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM, WrOpcode.RDMA_READ,
            WrOpcode.RDMA_READ, WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD);
    private static final List<WrOpcode> UC = List.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE_WITH_IMM);
    private static final List<WrOpcode> UD = List.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);

    private final Random random;
    private final Setup setup;
    private final Map<Peer, Integer> outstanding = new EnumMap<>(Peer.class);
    private int nextReceive;

    Requests(Random random, Setup setup) {
        this.random = random;
        this.setup = setup;
        outstanding.put(Peer.A, 0);
        outstanding.put(Peer.B, 0);
    }

    /** Returns the number of receives posted for a queue pair. Receives of a queue that both share count for both. */
    int outstanding(Peer peer) {
        return outstanding.get(queue(peer));
    }

    private Peer queue(Peer peer) {
        return setup.sharedBy() == 2 ? Peer.B : peer;
    }

    private void count(Peer peer, int change) {
        outstanding.merge(queue(peer), change, Integer::sum);
    }

    /** Records that a queue pair used receives. */
    void used(Peer peer, int count) {
        count(peer, -count);
    }

    /** Reconnects both queue pairs. Receives of the shared queue stay posted. */
    Action.Connect connect(boolean anew) {
        for (Peer peer : Peer.values()) {
            if (!setup.shares(peer)) {
                outstanding.put(peer, 0);
            }
        }
        return new Action.Connect(anew, setup.mtu(), setup.mtu());
    }

    /** Posts receives that any message fits into, as many as a chain needs. */
    List<Action> receivesFor(Peer peer, List<Send> chain) {
        int needed = (int) chain.stream().filter(Send::needsReceive).count();
        int missing = needed - outstanding(peer);
        if (missing <= 0) {
            used(peer, needed);
            return List.of();
        }
        int extra = random.nextInt(6) == 0 && needed < Layout.CHAIN ? 1 : 0;
        Action.Receive posted = receive(peer, missing + extra);
        used(peer, needed);
        return List.of(posted);
    }

    Action.Receive receive(Peer peer, int count) {
        List<List<Part>> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(split(Key.LOCAL, Layout.receive(queue(peer), nextReceive++), Layout.SLOT));
        }
        count(peer, count);
        return new Action.Receive(peer, list);
    }

    /** Posts one receive with these elements. */
    Action.Receive receive(Peer peer, Part... parts) {
        count(peer, 1);
        return new Action.Receive(peer, List.of(List.of(parts)));
    }

    int nextReceive(Peer peer) {
        return Layout.receive(queue(peer), nextReceive++);
    }

    /** Splits a range into one to three elements, which may be empty. */
    private List<Part> split(Key key, int offset, int length) {
        int pieces = random.nextInt(3);
        List<Part> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < pieces; i++) {
            int to = from + random.nextInt(length - from + 1);
            parts.add(new Part(key, offset + from, to - from));
            from = to;
        }
        parts.add(new Part(key, offset + from, length - from));
        return List.copyOf(parts);
    }

    int length() {
        int mtu = setup.mtuBytes();
        int most = setup.type() == QpType.UD ? mtu : Layout.SLOT - GRH;
        int length = switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> 8;
            case 3 -> mtu - random.nextInt(2);
            case 4 -> mtu + random.nextInt(2);
            case 5 -> 2 * mtu + random.nextInt(2);
            case 6 -> random.nextInt(INLINE + 1);
            default -> random.nextInt(most + 1);
        };
        return Math.min(length, most);
    }

    /** Returns a chain of one to six requests. The last one is signaled. */
    List<Send> chain(Peer from) {
        int count = 1 + random.nextInt(Layout.CHAIN);
        List<Send> chain = new ArrayList<>();
        while (chain.size() < count) {
            Send next = request(from, chain.size());
            chain.add(next);
            if (next.opcode() == WrOpcode.RDMA_READ && chain.size() < count && random.nextInt(3) == 0) {
                chain.add(new Send(WrOpcode.RDMA_WRITE, SendFlags.FENCE, next.parts(),
                        target(from, chain.size()), 0, false));
            }
        }
        return signaled(chain);
    }

    /** Signals the last request, and others at random. */
    List<Send> signaled(List<Send> chain) {
        List<Send> all = new ArrayList<>();
        for (Send send : chain) {
            boolean last = all.size() == chain.size() - 1;
            all.add(last || random.nextInt(3) == 0 ? send.with(SendFlags.SIGNALED) : send);
        }
        return List.copyOf(all);
    }

    private static Part target(Peer from, int index) {
        return new Part(Key.ALL, Layout.target(from.other(), index), 0);
    }

    Send request(Peer from, int index) {
        List<WrOpcode> opcodes = setup.type() == QpType.RC ? RC : setup.type() == QpType.UC ? UC : UD;
        return request(from, index, opcodes.get(random.nextInt(opcodes.size())));
    }

    /** Returns a legal request with an opcode, using the slots of its position in the chain. */
    Send request(Peer from, int index, WrOpcode opcode) {
        boolean atomic = opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
        boolean reads = atomic || opcode == WrOpcode.RDMA_READ;
        boolean remote = reads || opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        int length = atomic ? Long.BYTES : length();
        int flags = random.nextInt(4) == 0 ? SendFlags.SOLICITED : 0;
        if (setup.type() == QpType.RC && random.nextInt(6) == 0) {
            flags |= SendFlags.FENCE;
        }
        List<Part> parts;
        if (!reads && length <= INLINE && random.nextInt(2) == 0) {
            flags |= SendFlags.INLINE;
            parts = split(Key.INLINE, random.nextInt(1000), length);
        } else if (length == 0 && random.nextBoolean()) {
            parts = List.of();
        } else {
            Key key = random.nextBoolean() ? Key.LOCAL : Key.ALL;
            int offset = Layout.local(from, index);
            parts = atomic ? List.of(new Part(key, offset, length)) : split(key, offset, length);
        }
        Part to = !remote
                ? null
                // The key of a message of 0 bytes is not checked (B27).
                : length == 0 && random.nextBoolean() ? new Part(Key.INVALID, 0, 0) : target(from, index);
        return new Send(opcode, flags, parts, to, random.nextInt(), random.nextBoolean());
    }
}
