package io.jverbs.contract.differential;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Steps that provoke one error, look at what it leaves, and connect anew. Faulty messages fit into one packet: how
 * much of a longer one arrives is nobody's promise. What fails before it leaves stands first in its chain, because
 * what precedes it may still be under way.
 */
final class FaultySteps {

    private static final int SHORT = 64;

    private final Random random;
    private final Set<Enum<?>> avoided;
    private final Setup setup;
    private final Requests requests;
    private final Peer from;
    private final Peer to;
    private final List<Action> actions = new ArrayList<>();
    private final List<Send> chain = new ArrayList<>();

    FaultySteps(Random random, Setup setup, Requests requests, Set<Enum<?>> avoided) {
        this.avoided = avoided;
        this.random = random;
        this.setup = setup;
        this.requests = requests;
        this.from = random.nextBoolean() ? Peer.A : Peer.B;
        this.to = from.other();
    }

    List<Action> make(Fault fault) {
        if (!fault.local() && fault.type == QpType.RC && !fault.waits() && fault != Fault.FLUSH) {
            int before = random.nextInt(3);
            for (int i = 0; i < before && fault != Fault.OTHER_MTU && fault != Fault.NOT_ENABLED; i++) {
                chain.add(good(WrOpcode.RDMA_WRITE));
            }
        }
        switch (fault) {
            case SOURCE_KEY, UC_SOURCE, UD_SOURCE -> source(local(Key.NOTHING));
            case SOURCE_BOUNDS -> source(outside());
            case SOURCE_DOMAIN -> source(local(Key.FOREIGN));
            case SINK_KEY -> sink(Key.NOTHING);
            case SINK_BOUNDS -> chain.add(good(WrOpcode.RDMA_READ).parts(outside()));
            case SINK_RIGHT -> sink(Key.READ_ONLY);
            case REMOTE_KEY -> remote(any(), Key.NOTHING, target());
            case REMOTE_BEFORE -> remote(pick(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ), Key.ALL, -1);
            case REMOTE_BEHIND -> remote(any(), Key.ALL, Layout.SIZE);
            case REMOTE_RIGHT -> right();
            case REMOTE_DOMAIN -> remote(any(), Key.FOREIGN, target());
            case WINDOW_BOUNDS, WINDOW_RIGHT, WINDOW_GONE -> window(fault);
            case NOT_ENABLED -> {
                actions.add(new Action.Control(to, Command.NO_REMOTE_RIGHTS));
                chain.add(good(any()));
            }
            case UNALIGNED -> unaligned();
            case OTHER_MTU -> otherMtu();
            case TOO_LONG, UC_TOO_LONG, UD_TOO_LONG -> tooLong();
            case RECEIVE_KEY, UC_RECEIVE, UD_RECEIVE -> receive(Key.NOTHING, requests.nextReceive(to));
            case RECEIVE_BOUNDS -> receive(Key.LOCAL, Layout.SIZE - 4);
            case RECEIVE_RIGHT -> receive(Key.READ_ONLY, requests.nextReceive(to));
            case RECEIVE_DOMAIN -> receive(Key.FOREIGN, requests.nextReceive(to));
            case IMMEDIATE_KEY, UC_REMOTE -> immediateKey(fault);
            case NOT_READY, UC_NOT_READY, UD_NOT_READY -> notReady(WrOpcode.SEND);
            case NOT_READY_IMMEDIATE -> notReady(WrOpcode.RDMA_WRITE_WITH_IMM);
            case INVALIDATE -> invalidate();
            case UNREACHABLE_ERR -> unreachable(Command.TO_ERR);
            case UNREACHABLE_RESET -> unreachable(Command.TO_RESET);
            case FLUSH -> flush();
            case BIND, LOCAL_INVALIDATE -> windowOperation(fault);
            case UC_OPCODE -> illegal(WrOpcode.RDMA_READ);
            case UD_OPCODE -> illegal(WrOpcode.RDMA_WRITE);
            case UD_QKEY -> {
                ready();
                // the sign is what the runner takes for another Q_Key
                chain.add(good(WrOpcode.SEND).remote(new Part(Key.NOTHING, 0, 0)));
            }
        }
        post(fault);
        return actions;
    }

    private void post(Fault fault) {
        if (!chain.isEmpty()) {
            int after = fault.type == QpType.RC && fault != Fault.INVALIDATE && fault != Fault.UNALIGNED
                    ? random.nextInt(3)
                    : 0;
            for (int i = 0; i < after && chain.size() < Layout.CHAIN; i++) {
                chain.add(good(WrOpcode.RDMA_WRITE));
            }
            actions.add(new Action.Post(from, requests.signaled(chain)));
            actions.add(new Action.Await());
        }
        if (fault.type == QpType.RC && !fault.waits() && fault != Fault.UNALIGNED && random.nextBoolean()) {
            if (!setup.shares(from) && !avoided.contains(Habit.LATE_RECEIVE)) {
                actions.add(requests.receive(from, 1));
            }
            Send late = Send.of(WrOpcode.RDMA_WRITE, List.of(local(Key.LOCAL)), new Part(Key.ALL, target(), 0));
            actions.add(new Action.Post(from, requests.signaled(List.of(late))));
            actions.add(new Action.Await());
        }
        if (fault.name().startsWith("WINDOW") || fault.row == Fault.Row.BIND) {
            actions.add(new Action.Control(to, Command.NEW_WINDOW));
        }
        if (setup.shares(to)) {
            // what became of receives of the shared queue is seen when the next messages take theirs
            Fault.Row row = fault.row;
            if (row == Fault.Row.TOO_LONG || row == Fault.Row.RECEIVE || row == Fault.Row.INVALIDATE
                    || fault == Fault.UD_RECEIVE || fault == Fault.UD_TOO_LONG) {
                requests.used(to, 1);
            }
        }
        actions.add(requests.connect(random.nextBoolean()));
    }

    @SafeVarargs
    private <T> T pick(T... some) {
        return some[random.nextInt(some.length)];
    }

    private WrOpcode any() {
        return pick(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_CMP_AND_SWP,
                WrOpcode.ATOMIC_FETCH_AND_ADD);
    }

    private int target() {
        return Layout.target(to, chain.size());
    }

    private Part local(Key key) {
        return new Part(key, Layout.local(from, chain.size()), SHORT);
    }

    /** A range of which the first bytes lie in the region. */
    private static Part outside() {
        return new Part(Key.LOCAL, Layout.SIZE - SHORT / 2, SHORT);
    }

    /** A short legal request at this place of the chain. */
    private Send good(WrOpcode opcode) {
        boolean atomic = opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
        Part part = new Part(Key.LOCAL, Layout.local(from, chain.size()), atomic ? Long.BYTES : SHORT);
        boolean remote = atomic || opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_READ
                || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        return Send.of(opcode, List.of(part), remote ? new Part(Key.ALL, target(), 0) : null)
                .operand(random.nextInt());
    }

    private void source(Part part) {
        if (setup.type() != QpType.RC) {
            // in SQE, where the error leads, receives stay; a device without that state flushes them
            noneToFlush(from);
        }
        WrOpcode opcode = setup.type() == QpType.UD ? WrOpcode.SEND : pick(WrOpcode.SEND, WrOpcode.RDMA_WRITE);
        if (opcode == WrOpcode.SEND) {
            ready();
        }
        chain.add(good(opcode).parts(part));
    }

    private void sink(Key key) {
        Send request = good(pick(WrOpcode.RDMA_READ, WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD));
        Part part = request.parts().getFirst();
        chain.add(request.parts(new Part(key, part.offset(), part.length())));
    }

    private void remote(WrOpcode opcode, Key key, int offset) {
        chain.add(good(opcode).remote(new Part(key, offset, 0)));
    }

    private void right() {
        WrOpcode opcode = any();
        remote(opcode, opcode == WrOpcode.RDMA_READ ? Key.LOCAL : Key.READ_ONLY, target());
    }

    private void unaligned() {
        // a device that refuses it at post leaves receives as they are, one that fails it flushes them
        noneToFlush(from);
        noneToFlush(to);
        remote(pick(WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD), Key.ALL, target() + 4);
    }

    private void otherMtu() {
        actions.add(new Action.Connect(false, from == Peer.A ? 1 : 2, from == Peer.A ? 2 : 1));
        requests.connect(false);
        chain.add(good(WrOpcode.RDMA_WRITE).parts(new Part(Key.LOCAL, Layout.local(from, 0), 700)));
    }

    /** A receive waits at the other side that has room for anything. */
    private void ready() {
        if (requests.outstanding(to) == 0) {
            actions.add(requests.receive(to, 1));
        }
    }

    /** Earlier receives would be flushed by one device and not by another. */
    private void noneToFlush(Peer peer) {
        if (requests.outstanding(peer) != 0 && !setup.shares(peer)) {
            actions.add(requests.connect(false));
        }
    }

    /** Earlier receives would take the message: a new start removes them, or messages use them up. */
    private void noReceives() {
        if (requests.outstanding(to) == 0) {
            return;
        }
        if (setup.shares(to)) {
            int count = requests.outstanding(to);
            List<Send> takers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                takers.add(good(WrOpcode.SEND));
            }
            actions.add(new Action.Post(from, requests.signaled(takers)));
            actions.add(new Action.Await());
            requests.used(to, count);
        } else {
            actions.add(requests.connect(false));
        }
    }

    private int header() {
        return setup.type() == QpType.UD ? Requests.GRH : 0;
    }

    private void tooLong() {
        noReceives();
        actions.add(requests.receive(to,
                new Part(Key.LOCAL, requests.nextReceive(to), header() + random.nextInt(SHORT))));
        if (random.nextBoolean() && !setup.shares(to)) {
            actions.add(requests.receive(to, 1));
        }
        chain.add(good(setup.type() == QpType.UD ? WrOpcode.SEND : pick(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM)));
    }

    private void receive(Key key, int offset) {
        noReceives();
        actions.add(requests.receive(to, new Part(key, offset, header() + SHORT)));
        if (random.nextBoolean() && !setup.shares(to)) {
            actions.add(requests.receive(to, 1));
        }
        chain.add(good(WrOpcode.SEND));
    }

    private void immediateKey(Fault fault) {
        if (fault == Fault.UC_REMOTE && random.nextBoolean()) {
            remote(WrOpcode.RDMA_WRITE, pick(Key.NOTHING, Key.READ_ONLY, Key.FOREIGN), target());
            return;
        }
        if (setup.shares(to)) {
            // whether it takes a receive of the shared queue is not said
            remote(WrOpcode.RDMA_WRITE, Key.NOTHING, target());
            return;
        }
        noneToFlush(to);
        actions.add(requests.receive(to, 1));
        remote(WrOpcode.RDMA_WRITE_WITH_IMM, pick(Key.NOTHING, Key.READ_ONLY, Key.FOREIGN), target());
    }

    private void notReady(WrOpcode opcode) {
        noReceives();
        chain.add(good(opcode));
    }

    private void invalidate() {
        noReceives();
        // a device that acknowledges first leaves the sender as it is
        noneToFlush(from);
        actions.add(requests.receive(to, 1));
        chain.add(good(WrOpcode.SEND_WITH_INV).remote(new Part(pick(Key.NOTHING, Key.ALL), 0, 0)));
    }

    private void unreachable(Command command) {
        actions.add(new Action.Control(to, command));
        chain.add(good(pick(WrOpcode.SEND, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ)));
    }

    private void flush() {
        if (!setup.shares(from)) {
            actions.add(requests.receive(from, 1 + random.nextInt(3)));
        }
        actions.add(new Action.Control(from, Command.TO_ERR));
        actions.add(new Action.Await());
        chain.add(good(pick(WrOpcode.SEND, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD)));
    }

    private void illegal(WrOpcode opcode) {
        noneToFlush(from);
        chain.add(good(opcode));
    }

    /** The window of the other side, asked for what it does not give. */
    private void window(Fault fault) {
        NormalSteps normal = new NormalSteps(random, setup, requests);
        int access = fault == Fault.WINDOW_RIGHT
                ? Access.REMOTE_READ
                : Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
        actions.addAll(normal.open(to, access));
        WrOpcode opcode = pick(WrOpcode.RDMA_WRITE, WrOpcode.ATOMIC_FETCH_AND_ADD);
        Send use = normal.use(to, 0, opcode);
        switch (fault) {
            case WINDOW_BOUNDS -> use = use.remote(new Part(Key.WINDOW, Layout.target(to, 0) + 512, 0));
            case WINDOW_GONE -> {
                Send gone = Send.of(WrOpcode.LOCAL_INV, List.of(), new Part(Key.WINDOW, 0, 0));
                actions.add(new Action.Post(to, List.of(gone.with(SendFlags.SIGNALED))));
                actions.add(new Action.Await());
            }
            default -> {
                // the right is what is missing
            }
        }
        Part source = use.parts().getFirst();
        chain.add(use.parts(new Part(source.key(), Layout.local(from, chain.size()), source.length())));
    }

    private void windowOperation(Fault fault) {
        if (fault == Fault.BIND) {
            Part range = random.nextBoolean()
                    ? new Part(Key.LOCAL, Layout.target(from, 0), SHORT)
                    : new Part(Key.ALL, Layout.SIZE - SHORT / 2, SHORT);
            chain.add(Send.of(WrOpcode.BIND_MW, List.of(), range).operand(Access.REMOTE_READ));
        } else {
            chain.add(Send.of(WrOpcode.LOCAL_INV, List.of(), new Part(Key.NOTHING, 0, 0)));
        }
    }
}
