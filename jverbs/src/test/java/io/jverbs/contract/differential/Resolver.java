package io.jverbs.contract.differential;

import io.jverbs.MemoryWindow;
import io.jverbs.QpType;
import io.jverbs.WrOpcode;
import io.jverbs.contract.differential.sequence.Key;
import io.jverbs.contract.differential.sequence.Layout;
import io.jverbs.contract.differential.sequence.Part;
import io.jverbs.contract.differential.sequence.Peer;
import io.jverbs.contract.differential.sequence.Send;
import io.jverbs.contract.end.BindSpec;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.Pattern;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import java.util.ArrayList;
import java.util.List;

/** Replaces symbols in requests by the addresses, keys and numbers of a device. */
final class Resolver {

    private static final int GARBAGE = 0x0BAD_BAD0;

    private final World world;

    Resolver(World world) {
        this.world = world;
    }

    RecvSpec receive(Peer peer, List<Part> parts) {
        return RecvSpec.recv(elements(peer, parts));
    }

    private Sge[] elements(Peer peer, List<Part> parts) {
        List<Sge> all = new ArrayList<>();
        for (Part part : parts) {
            all.add(switch (part.key()) {
                case INLINE -> Sge.inline(Pattern.bytes(part.offset(), part.length()));
                case INVALID ->
                    Sge.raw(region(peer, Key.LOCAL).address() + part.offset(), part.length(), GARBAGE);
                default -> Sge.raw(region(peer, part.key()).address() + part.offset(), part.length(),
                        region(peer, part.key()).lkey());
            });
        }
        return all.toArray(Sge[]::new);
    }

    private MrInfo region(Peer peer, Key key) {
        return world.place(peer).regions.get(key);
    }

    private int rkey(Peer peer, Key key) {
        return switch (key) {
            case INVALID, INLINE -> GARBAGE;
            case WINDOW -> world.place(peer).windowKey;
            default -> region(peer, key).rkey();
        };
    }

    private long address(Peer peer, Part part) {
        Key of = switch (part.key()) {
            case INVALID, INLINE, WINDOW -> Key.ALL;
            default -> part.key();
        };
        return region(peer, of).address() + part.offset();
    }

    SendSpec send(Peer from, Send send) {
        SendSpec spec = SendSpec.of(send.opcode(), elements(from, send.parts())).flags(send.flags());
        Part remote = send.remote();
        Peer to = from.other();
        Place own = world.place(from);
        spec = switch (send.opcode()) {
            case SEND_WITH_IMM -> spec.immediate(send.operand());
            case RDMA_WRITE_WITH_IMM ->
                spec.immediate(send.operand()).remote(address(to, remote), rkey(to, remote.key()));
            case RDMA_WRITE, RDMA_READ -> spec.remote(address(to, remote), rkey(to, remote.key()));
            case ATOMIC_CMP_AND_SWP -> spec.atomic(address(to, remote), rkey(to, remote.key()), compare(to, send),
                    ~(long) send.operand());
            case ATOMIC_FETCH_AND_ADD ->
                spec.atomic(address(to, remote), rkey(to, remote.key()), send.operand(), 0);
            case SEND_WITH_INV -> spec.invalidate(rkey(to, remote.key()));
            case LOCAL_INV -> spec.invalidate(rkey(from, remote.key()));
            case BIND_MW -> spec.bind(own.window, MemoryWindow.incrementRkey(own.windowKey), new BindSpec(
                    region(from, remote.key()).id(), address(from, remote), remote.length(), send.operand()));
            default -> spec;
        };
        if (world.setup.type() == QpType.UD && send.opcode() != WrOpcode.RDMA_WRITE) {
            int qkey = remote == null ? World.QKEY : World.QKEY + 1;
            spec = spec.to(own.ah, world.qps.get(from.other()).number(), qkey);
        }
        return spec;
    }

    private long compare(Peer to, Send send) {
        int offset = send.remote().offset();
        return send.matching() && offset >= 0 && offset < Layout.SIZE && offset % Long.BYTES == 0
                ? world.place(to).end.loadLong(world.place(to).memory, offset)
                : send.operand();
    }

    /** Records the new key of a window after its bind was posted. */
    void posted(Peer from, Send send) {
        if (send.opcode() == WrOpcode.BIND_MW) {
            Place own = world.place(from);
            own.windowKey = MemoryWindow.incrementRkey(own.windowKey);
        }
    }
}
