package io.jverbs.contract.differential.sequence;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Generates steps that provoke one error, observe its effects, and reconnect. Messages of these steps fit into one
 * packet, because it is undefined how much of a longer message arrives. A request that fails before it is sent is the
 * first of its chain, because earlier requests might still be outstanding.
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
                chain.add(legal(WrOpcode.RDMA_WRITE));
            }
        }
        switch (fault) {
            case SOURCE_KEY, UC_SOURCE, UD_SOURCE -> source(local(Key.INVALID));
            case SOURCE_BOUNDS -> source(outside());
            case SOURCE_DOMAIN -> source(local(Key.FOREIGN));
            case SINK_KEY -> sink(Key.INVALID);
            case SINK_BOUNDS -> chain.add(legal(WrOpcode.RDMA_READ).parts(outside()));
            case SINK_RIGHT -> sink(Key.READ_ONLY);
            case REMOTE_KEY -> remote(any(), Key.INVALID, target());
            case REMOTE_BEFORE -> remote(pick(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ), Key.ALL, -1);
            case REMOTE_BEHIND -> remote(any(), Key.ALL, Layout.SIZE);
            case REMOTE_RIGHT -> missingRight();
            case REMOTE_DOMAIN -> remote(any(), Key.FOREIGN, target());
            case WINDOW_BOUNDS, WINDOW_RIGHT, WINDOW_GONE -> window(fault);
            case NOT_ENABLED -> {
                actions.add(new Action.Control(to, Command.NO_REMOTE_RIGHTS));
                chain.add(legal(any()));
            }
            case UNALIGNED -> unaligned();
            case OTHER_MTU -> otherMtu();
            case TOO_LONG, UC_TOO_LONG, UD_TOO_LONG -> tooLong();
            case RECEIVE_KEY, UC_RECEIVE, UD_RECEIVE -> receive(Key.INVALID, requests.nextReceive(to));
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
                ensureReceive();
                // The resolver uses another Q_Key for a send that has a remote part.
                chain.add(legal(WrOpcode.SEND).remote(new Part(Key.INVALID, 0, 0)));
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
            if (fault.row == Fault.Row.SINK && avoided.contains(UnsupportedAction.BEHIND_SINK)) {
                after = 0;
            }
            for (int i = 0; i < after && chain.size() < Layout.CHAIN; i++) {
                chain.add(legal(WrOpcode.RDMA_WRITE));
            }
            actions.add(new Action.Post(from, requests.signaled(chain)));
            actions.add(new Action.Await());
        }
        if (fault.type == QpType.RC && !fault.waits() && fault != Fault.UNALIGNED && random.nextBoolean()) {
            if (!setup.shares(from) && !avoided.contains(UnsupportedAction.LATE_RECEIVE)) {
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
            // The state of the receives in the shared queue shows when later messages use them.
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

    /** Returns a range whose first bytes are in the region and whose last bytes are not. */
    private static Part outside() {
        return new Part(Key.LOCAL, Layout.SIZE - SHORT / 2, SHORT);
    }

    /** Returns a short legal request for the next position of the chain. */
    private Send legal(WrOpcode opcode) {
        boolean atomic = opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
        Part part = new Part(Key.LOCAL, Layout.local(from, chain.size()), atomic ? Long.BYTES : SHORT);
        boolean remote = atomic || opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_READ
                || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        return Send.of(opcode, List.of(part), remote ? new Part(Key.ALL, target(), 0) : null)
                .operand(random.nextInt());
    }

    private void source(Part part) {
        if (setup.type() != QpType.RC) {
            // In SQE, the state after the error, receives stay posted. A device without SQE flushes them.
            discardReceives(from);
        }
        WrOpcode opcode = setup.type() == QpType.UD ? WrOpcode.SEND : pick(WrOpcode.SEND, WrOpcode.RDMA_WRITE);
        if (opcode == WrOpcode.SEND) {
            ensureReceive();
        }
        chain.add(legal(opcode).parts(part));
    }

    private void sink(Key key) {
        Send request = legal(pick(WrOpcode.RDMA_READ, WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD));
        Part part = request.parts().getFirst();
        chain.add(request.parts(new Part(key, part.offset(), part.length())));
    }

    private void remote(WrOpcode opcode, Key key, int offset) {
        chain.add(legal(opcode).remote(new Part(key, offset, 0)));
    }

    private void missingRight() {
        WrOpcode opcode = any();
        remote(opcode, opcode == WrOpcode.RDMA_READ ? Key.LOCAL : Key.READ_ONLY, target());
    }

    private void unaligned() {
        // A device that refuses the request at the post keeps the receives; one that fails it flushes them.
        discardReceives(from);
        discardReceives(to);
        remote(pick(WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD), Key.ALL, target() + 4);
    }

    private void otherMtu() {
        actions.add(new Action.Connect(false, from == Peer.A ? 1 : 2, from == Peer.A ? 2 : 1));
        requests.connect(false);
        chain.add(legal(WrOpcode.RDMA_WRITE).parts(new Part(Key.LOCAL, Layout.local(from, 0), 700)));
    }

    /** Ensures that the other side has a receive posted that any message fits into. */
    private void ensureReceive() {
        if (requests.outstanding(to) == 0) {
            actions.add(requests.receive(to, 1));
        }
    }

    /** Reconnects if receives are posted: one device would flush them and another would not. */
    private void discardReceives(Peer peer) {
        if (requests.outstanding(peer) != 0 && !setup.shares(peer)) {
            actions.add(requests.connect(false));
        }
    }

    /**
     * Ensures that no receive is posted at the other side, where it would take the message: reconnects, or uses the
     * receives up with messages.
     */
    private void ensureNoReceives() {
        if (requests.outstanding(to) == 0) {
            return;
        }
        if (setup.shares(to)) {
            int count = requests.outstanding(to);
            List<Send> takers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                takers.add(legal(WrOpcode.SEND));
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
        ensureNoReceives();
        actions.add(requests.receive(to,
                new Part(Key.LOCAL, requests.nextReceive(to), header() + random.nextInt(SHORT))));
        if (random.nextBoolean() && !setup.shares(to)) {
            actions.add(requests.receive(to, 1));
        }
        chain.add(legal(setup.type() == QpType.UD ? WrOpcode.SEND : pick(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM)));
    }

    private void receive(Key key, int offset) {
        ensureNoReceives();
        actions.add(requests.receive(to, new Part(key, offset, header() + SHORT)));
        if (random.nextBoolean() && !setup.shares(to)) {
            actions.add(requests.receive(to, 1));
        }
        chain.add(legal(WrOpcode.SEND));
    }

    private void immediateKey(Fault fault) {
        if (fault == Fault.UC_REMOTE && random.nextBoolean()) {
            remote(WrOpcode.RDMA_WRITE, pick(Key.INVALID, Key.READ_ONLY, Key.FOREIGN), target());
            return;
        }
        if (setup.shares(to)) {
            // It is undefined whether the request takes a receive of the shared queue.
            remote(WrOpcode.RDMA_WRITE, Key.INVALID, target());
            return;
        }
        discardReceives(to);
        actions.add(requests.receive(to, 1));
        remote(WrOpcode.RDMA_WRITE_WITH_IMM, pick(Key.INVALID, Key.READ_ONLY, Key.FOREIGN), target());
    }

    private void notReady(WrOpcode opcode) {
        ensureNoReceives();
        chain.add(legal(opcode));
    }

    private void invalidate() {
        ensureNoReceives();
        // A device that acknowledges first leaves the state of the sender unchanged.
        discardReceives(from);
        actions.add(requests.receive(to, 1));
        chain.add(legal(WrOpcode.SEND_WITH_INV).remote(new Part(pick(Key.INVALID, Key.ALL), 0, 0)));
    }

    private void unreachable(Command command) {
        actions.add(new Action.Control(to, command));
        chain.add(legal(pick(WrOpcode.SEND, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ)));
    }

    private void flush() {
        if (!setup.shares(from)) {
            actions.add(requests.receive(from, 1 + random.nextInt(3)));
        }
        actions.add(new Action.Control(from, Command.TO_ERR));
        actions.add(new Action.Await());
        chain.add(legal(pick(WrOpcode.SEND, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD)));
    }

    private void illegal(WrOpcode opcode) {
        discardReceives(from);
        chain.add(legal(opcode));
    }

    /** Uses the window of the other side in a way that it does not allow. */
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
                // the access right is missing
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
            chain.add(Send.of(WrOpcode.LOCAL_INV, List.of(), new Part(Key.INVALID, 0, 0)));
        }
    }
}
