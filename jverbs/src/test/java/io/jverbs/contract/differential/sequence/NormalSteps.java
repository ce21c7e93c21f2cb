package io.jverbs.contract.differential.sequence;

import io.jverbs.Access;
import io.jverbs.SendFlags;
import io.jverbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Generates steps in which no connection fails. */
final class NormalSteps {

    private static final int WINDOW = 512;

    private final Random random;
    private final Setup setup;
    private final Requests requests;

    NormalSteps(Random random, Setup setup, Requests requests) {
        this.random = random;
        this.setup = setup;
        this.requests = requests;
    }

    private Peer peer() {
        return random.nextBoolean() ? Peer.A : Peer.B;
    }

    /** Returns a chain in one direction, or chains in both directions at once. */
    List<Action> traffic() {
        List<Action> actions = new ArrayList<>();
        Peer from = peer();
        List<Send> chain = requests.chain(from);
        actions.addAll(requests.receivesFor(from.other(), chain));
        if (setup.sharedBy() != 2 && random.nextInt(3) == 0) {
            List<Send> back = requests.chain(from.other());
            actions.addAll(requests.receivesFor(from, back));
            actions.add(new Action.Post(from.other(), back));
        }
        actions.add(new Action.Post(from, chain));
        actions.add(new Action.Await());
        return actions;
    }

    /** Returns actions that drain the send queue. Requests posted in the meantime start when SQD is left. */
    List<Action> drain(boolean resumes) {
        Peer from = peer();
        List<Action> actions = new ArrayList<>();
        List<Send> chain = requests.chain(from);
        actions.addAll(requests.receivesFor(from.other(), chain));
        actions.add(new Action.Control(from, Command.TO_SQD));
        if (random.nextBoolean() && resumes) {
            actions.add(new Action.Post(from, chain));
            actions.add(new Action.Control(from, Command.SQD_TO_RTS));
        } else {
            actions.add(new Action.Control(from, Command.SQD_TO_RTS));
            actions.add(new Action.Post(from, chain));
        }
        actions.add(new Action.Await());
        return actions;
    }

    /**
     * Returns actions that open a window, use it, and close it in one of three ways.
     *
     * @param mayOvertake whether the window may be closed while a READ is outstanding
     */
    List<Action> window(boolean mayOvertake) {
        Peer owner = peer();
        List<Action> actions = new ArrayList<>(
                open(owner, Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC));
        List<Send> uses = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            WrOpcode opcode = List.of(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_FETCH_AND_ADD,
                    WrOpcode.ATOMIC_CMP_AND_SWP).get(random.nextInt(4));
            uses.add(use(owner, i, opcode));
        }
        boolean remotely = random.nextInt(3) == 0;
        if (remotely) {
            Send invalidation = requests.request(owner.other(), 3, WrOpcode.SEND_WITH_INV)
                    .remote(new Part(Key.WINDOW, 0, 0));
            uses.add(mayOvertake ? invalidation : invalidation.with(SendFlags.FENCE));
            actions.addAll(requests.receivesFor(owner, uses));
        }
        actions.add(new Action.Post(owner.other(), requests.signaled(uses)));
        actions.add(new Action.Await());
        if (!remotely && random.nextBoolean()) {
            actions.add(new Action.Post(owner, requests.signaled(List.of(
                    Send.of(WrOpcode.LOCAL_INV, List.of(), new Part(Key.WINDOW, 0, 0))))));
            actions.add(new Action.Await());
        } else if (!remotely) {
            actions.add(new Action.Control(owner, Command.NEW_WINDOW));
        }
        return actions;
    }

    /** Returns actions that bind the window to the first target slot of the owner. */
    List<Action> open(Peer owner, int access) {
        Send bind = Send.of(WrOpcode.BIND_MW, List.of(), new Part(Key.ALL, Layout.target(owner, 0), WINDOW))
                .operand(access);
        return List.of(new Action.Post(owner, List.of(bind.with(SendFlags.SIGNALED))), new Action.Await());
    }

    /**
     * Returns a request of the owner's peer through the window. Each position in the chain has its own part of the
     * window.
     */
    Send use(Peer owner, int index, WrOpcode opcode) {
        boolean atomic = opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
        int length = atomic ? Long.BYTES : 1 + random.nextInt(128);
        return Send.of(opcode, List.of(new Part(Key.LOCAL, Layout.local(owner.other(), index), length)),
                new Part(Key.WINDOW, Layout.target(owner, 0) + index * 128, 0)).operand(random.nextInt())
                .matching(random.nextBoolean());
    }

    /** Returns a call that leaves both queue pairs in RTS. */
    Command command() {
        List<Command> all = new ArrayList<>(List.of(Command.values()));
        all.removeAll(List.of(Command.TO_ERR, Command.TO_RESET, Command.TO_SQD, Command.SQD_TO_RTS,
                Command.NO_REMOTE_RIGHTS));
        if (setup.sharedBy() == 0) {
            all.removeAll(List.of(Command.DESTROY_BUSY_SRQ, Command.SRQ_LIMIT, Command.SRQ_LIMIT_TOO_HIGH));
        }
        if (setup.sharedBy() == 2) {
            all.remove(Command.RECEIVE_TOO_MANY_ELEMENTS);
        }
        return all.get(random.nextInt(all.size()));
    }

    List<Action> control(Command command) {
        Peer peer = command == Command.RECEIVE_TOO_MANY_ELEMENTS && setup.shares(Peer.B) ? Peer.A : peer();
        return List.of(new Action.Control(peer, command), new Action.Await());
    }
}
