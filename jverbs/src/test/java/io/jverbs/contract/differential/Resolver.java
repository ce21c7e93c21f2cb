package io.jverbs.contract.differential;

import io.jverbs.MemoryWindow;
import io.jverbs.QpType;
import io.jverbs.WrOpcode;
import io.jverbs.contract.end.BindSpec;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.Pattern;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import java.util.ArrayList;
import java.util.List;

/** Puts addresses, keys and numbers of a device into symbolic requests. */
final class Resolver {

    private static final int GARBAGE = 0x0BAD_BAD0;

    private final World world;

    Resolver(World world) {
        this.world = world;
    }

    RecvSpec receive(List<Part> parts) {
        return RecvSpec.recv(elements(parts));
    }

    private Sge[] elements(List<Part> parts) {
        List<Sge> all = new ArrayList<>();
        for (Part part : parts) {
            all.add(switch (part.key()) {
                case INLINE -> Sge.inline(Pattern.bytes(part.offset(), part.length()));
                case NOTHING ->
                    Sge.raw(region(Key.LOCAL).address() + part.offset(), part.length(), GARBAGE);
                default -> Sge.raw(region(part.key()).address() + part.offset(), part.length(),
                        region(part.key()).lkey());
            });
        }
        return all.toArray(Sge[]::new);
    }

    private MrInfo region(Key key) {
        return world.regions.get(key);
    }

    private int rkey(Key key) {
        return switch (key) {
            case NOTHING, INLINE -> GARBAGE;
            case WINDOW -> world.windowKey;
            default -> region(key).rkey();
        };
    }

    private long address(Part part) {
        Key of = switch (part.key()) {
            case NOTHING, INLINE, WINDOW -> Key.ALL;
            default -> part.key();
        };
        return region(of).address() + part.offset();
    }

    SendSpec send(Peer from, Send send) {
        SendSpec spec = SendSpec.of(send.opcode(), elements(send.parts())).flags(send.flags());
        Part remote = send.remote();
        spec = switch (send.opcode()) {
            case SEND_WITH_IMM -> spec.immediate(send.operand());
            case RDMA_WRITE_WITH_IMM ->
                spec.immediate(send.operand()).remote(address(remote), rkey(remote.key()));
            case RDMA_WRITE, RDMA_READ -> spec.remote(address(remote), rkey(remote.key()));
            case ATOMIC_CMP_AND_SWP ->
                spec.atomic(address(remote), rkey(remote.key()), compare(send), ~(long) send.operand());
            case ATOMIC_FETCH_AND_ADD -> spec.atomic(address(remote), rkey(remote.key()), send.operand(), 0);
            case SEND_WITH_INV, LOCAL_INV -> spec.invalidate(rkey(remote.key()));
            case BIND_MW -> spec.bind(world.window, MemoryWindow.incrementRkey(world.windowKey),
                    new BindSpec(region(remote.key()).id(), address(remote), remote.length(), send.operand()));
            default -> spec;
        };
        if (world.setup.type() == QpType.UD && send.opcode() != WrOpcode.RDMA_WRITE) {
            int qkey = remote == null ? World.QKEY : World.QKEY + 1;
            spec = spec.to(world.ah, world.qps.get(from.other()).number(), qkey);
        }
        return spec;
    }

    private long compare(Send send) {
        int offset = send.remote().offset();
        return send.matching() && offset >= 0 && offset < Layout.SIZE && offset % Long.BYTES == 0
                ? world.end.loadLong(world.memory, offset)
                : send.operand();
    }

    /** Notes the new key of a window. */
    void posted(Send send) {
        if (send.opcode() == WrOpcode.BIND_MW) {
            world.windowKey = MemoryWindow.incrementRkey(world.windowKey);
        }
    }
}
