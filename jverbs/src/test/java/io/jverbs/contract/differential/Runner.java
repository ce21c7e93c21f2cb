package io.jverbs.contract.differential;

import io.jverbs.QpState;
import io.jverbs.contract.differential.Outcome.CallResult;
import io.jverbs.contract.differential.sequence.Action;
import io.jverbs.contract.differential.sequence.CallSequence;
import io.jverbs.contract.differential.sequence.Command;
import io.jverbs.contract.differential.sequence.Part;
import io.jverbs.contract.differential.sequence.Peer;
import io.jverbs.contract.differential.sequence.Send;
import io.jverbs.contract.differential.sequence.Step;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.VerbsFailure;
import java.util.ArrayList;
import java.util.List;

/** Runs a sequence on a device. */
final class Runner {

    private final Device device;
    private final World world;
    private final Resolver resolver;
    private final Waiter waiter;
    private final ControlCalls control;
    private final Outcome outcome = new Outcome();
    private Step step;
    private int nextId;

    private Runner(Device device, CallSequence sequence, Outcome guide, Deviations deviations) {
        this.device = device;
        this.world = new World(device, sequence.setup());
        this.resolver = new Resolver(world);
        this.waiter = new Waiter(device, world, outcome, guide, deviations);
        this.control = new ControlCalls(world);
    }

    /** Runs a sequence on its own, and waits for what verbs guarantee. */
    static Outcome run(Device device, CallSequence sequence) {
        return run(device, sequence, null, Deviations.NONE);
    }

    /** Runs a sequence until it has the same results as on another device, or the deadline has passed. */
    static Outcome run(Device device, CallSequence sequence, Outcome guide, Deviations deviations) {
        device.wipe();
        Runner runner = new Runner(device, sequence, guide, deviations);
        try (World world = runner.world) {
            world.connect(false, sequence.setup().mtu(), sequence.setup().mtu());
            sequence.steps().forEach(runner::run);
            runner.finish();
        }
        return runner.outcome;
    }

    private void run(Step next) {
        step = next;
        nextId = 0;
        waiter.enter(next);
        for (Action action : next.actions()) {
            switch (action) {
                case Action.Receive receive -> receive(receive);
                case Action.Post post -> post(post);
                case Action.Await await -> waiter.await();
                case Action.Connect connect -> {
                    // An old acknowledgement must not be taken for one of the new connection, which uses the same PSNs.
                    waiter.settle();
                    call("connect", () -> world.connect(connect.anew(), connect.mtuA(), connect.mtuB()));
                    waiter.connected();
                }
                case Action.Control call -> {
                    outcome.results.add(new CallResult(step.index(), call.peer() + " " + call.command(),
                            control.call(call.peer(), call.command())));
                    waiter.changed(call.peer(), call.command());
                }
            }
        }
    }

    private void call(String name, Runnable body) {
        String value = "0";
        try {
            body.run();
        } catch (VerbsFailure e) {
            value = "errno " + e.errno();
        }
        outcome.results.add(new CallResult(step.index(), name, value));
    }

    private long id(boolean receive) {
        return (long) step.index() << 16 | nextId++ << 1 | (receive ? 1 : 0);
    }

    private void receive(Action.Receive receive) {
        List<RecvSpec> chain = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        for (List<Part> parts : receive.requests()) {
            RecvSpec spec = resolver.receive(receive.peer(), parts).id(id(true));
            chain.add(spec);
            ids.add(spec.wrId());
            waiter.noteReceive(spec.wrId(), parts);
        }
        Place place = world.place(receive.peer());
        PostResult result = world.setup.shares(receive.peer())
                ? place.end.tryPostSrqReceive(place.srq, chain)
                : place.end.tryPostReceive(world.qps.get(receive.peer()).id(), chain);
        outcome.results.add(callResult(receive.peer() + " post receive", result));
        if (!world.setup.shares(receive.peer())) {
            waiter.receives(receive.peer(), result.ok() ? ids : ids.subList(0, Math.max(0, result.failedIndex())));
        }
    }

    private CallResult callResult(String call, PostResult result) {
        return new CallResult(step.index(), call,
                result.ok() ? "0" : "errno " + result.errno() + " at " + result.failedIndex());
    }

    private void post(Action.Post post) {
        List<SendSpec> chain = new ArrayList<>();
        for (Send send : post.chain()) {
            chain.add(resolver.send(post.peer(), send).id(id(false)));
        }
        PostResult result = world.place(post.peer()).end.tryPostSend(world.qps.get(post.peer()).id(), chain);
        outcome.results.add(callResult(post.peer() + " post send", result));
        int accepted = result.ok() ? chain.size() : Math.max(0, result.failedIndex());
        for (Send send : post.chain().subList(0, accepted)) {
            outcome.posted.merge(send.opcode().name(), 1, Integer::sum);
            resolver.posted(post.peer(), send);
        }
        if (result.ok()) {
            waiter.sends(post.peer(), chain.getLast().wrId());
        } else {
            waiter.refused();
        }
    }

    /** Moves both queue pairs to ERR. The flushes show missing and surplus completions. */
    private void finish() {
        step = new Step(0xFFFF, "END", List.of());
        waiter.enter(step);
        for (Peer peer : Peer.values()) {
            call(peer + " to ERR", () -> control.modify(peer, QpState.ERR));
            waiter.changed(peer, Command.TO_ERR);
        }
        waiter.await();
        waiter.settle();
        outcome.results.add(new CallResult(step.index(), "close", world.destroyAll().toString()));
    }
}
