package io.jverbs.soft.traffic;

import static io.jverbs.soft.traffic.Violation.unless;

import io.jverbs.WcStatus;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.soft.traffic.Script.End;
import io.jverbs.soft.traffic.Script.Terms;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How a world comes to rest: all that was begun ends, well on a good network, and badly where it must. */
final class Ending {
    static final Duration MOMENT = Duration.ofMillis(50);
    /** Longer than any packet is under way where nothing is wrong. */
    private static final Duration LONGEST_WAY = Duration.ofNanos(100_000);
    /** Longer than all retries of the longest timeouts. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** How much longer a connection may wait besides: for a receiver, and for other connections. */
    private static final Duration BESIDES = Duration.ofMillis(300);
    private static final int MOST_DOUBLED = 4;
    /** With the longest packets, two connections that send so many have no room. */
    private static final int CROWD = 20;

    private final World world;
    private final Terms terms;
    private final List<ReliableFlow> reliable;
    private final List<LossyFlow> lossy;

    Ending(World world) {
        this.world = world;
        terms = world.script().terms();
        reliable = of(ReliableFlow.class);
        lossy = of(LossyFlow.class);
    }

    private <T extends Flow> List<T> of(Class<T> type) {
        return world.flows().stream().filter(type::isInstance).map(type::cast).toList();
    }

    void settle() {
        if (!world.isFaulty()) {
            // on the good network later packets would overtake those under way
            world.pass(LONGEST_WAY);
        }
        world.network().heal();
        world.network().links().perfect();
        switch (terms.end()) {
            case GOOD, STARVED -> {
                // as it is
            }
            case CUT -> cut(0);
            case CUT_THERE -> cut(1);
            case CUT_BACK -> cut(2);
            case CROWDED -> crowd();
        }
        for (ReliableFlow flow : reliable) {
            // whose completion tells of those without one
            post(flow, Kind.SEND);
            if (terms.end() != End.STARVED || !flow.isStarving()) {
                flow.receive(Math.max(0, flow.consuming.size() - flow.receives.size()), terms.mostBytes());
            }
        }
        boolean settled = world.runUntil(() -> {
            world.poll();
            return world.flows().stream().noneMatch(Flow::isOwed);
        }, PATIENCE);
        unless(settled, "after %s on a good network not every request is complete: %s", PATIENCE,
                world.flows().stream().filter(Flow::isOwed).toList());
        world.pass(MOMENT);
        for (Duration waited = MOMENT; !world.trail().isQuiet() && waited.compareTo(PATIENCE) < 0;) {
            world.pass(MOMENT);
            waited = waited.plus(MOMENT);
        }
        sayFarewell();
    }

    private static Operation post(Flow flow, Kind kind) {
        return post(flow, kind, 1);
    }

    private static Operation post(Flow flow, Kind kind, int length) {
        return flow.post(new Step.Post(flow.number, kind, length, 0, Step.SIGNALED));
    }

    private void crowd() {
        for (int packets = 0; packets < CROWD; packets += terms.packets()) {
            reliable.forEach(flow -> post(flow, Kind.WRITE, terms.mostBytes()));
        }
    }

    /** Cuts the link for longer than the longest retries: every reliable connection with a request under way must give up. */
    private void cut(int direction) {
        Map<ReliableFlow, Operation> first = new HashMap<>();
        world.pass(MOMENT);
        List<ReliableFlow> idle = reliable.stream().filter(flow -> !flow.isOwed() && flow.isSound()).toList();
        world.beCut(direction);
        for (ReliableFlow flow : reliable) {
            first.put(flow, post(flow, Kind.values()[flow.posted.size() % Kind.values().length]));
            flow.receive(Math.max(0, flow.consuming.size() - flow.receives.size()), terms.mostBytes());
        }
        List<ReliableFlow> untroubled = idle.stream().filter(ReliableFlow::isSound).toList();
        world.pass(terms.ackTimeout().multipliedBy(MOST_DOUBLED * (terms.retries() + 2L)).plus(BESIDES));
        for (ReliableFlow flow : reliable) {
            unless(!flow.isOwed(), "%s: after a cut longer than all retries not every request is complete", flow);
            unless(flow.hasFailed(), "%s: nothing has failed in a cut longer than all retries", flow);
        }
        untroubled.forEach(flow -> checkRetries(flow, first.get(flow)));
        world.network().heal();
    }

    /** The first request in a cut is tried as often as was agreed, each time given the time that was. */
    private void checkRetries(ReliableFlow flow, Operation operation) {
        unless(operation.status == WcStatus.RETRY_EXC_ERR, "%s: %s completed in a cut with %s", flow, operation,
                operation.status);
        if (world.trail().isComplete()) {
            List<SimulatedPacket> sendings = world.trail().sendings(flow.receiver, operation.firstPsn);
            unless(sendings.size() == terms.retries() + 1, "%s: %s was given up when it was sent %d times", flow,
                    operation, sendings.size());
            Duration time = sendings.getLast().sent().minus(sendings.getFirst().sent());
            Duration least = terms.ackTimeout().multipliedBy(terms.retries());
            unless(time.compareTo(least) >= 0 && time.compareTo(least.multipliedBy(MOST_DOUBLED)) <= 0,
                    "%s: %s was sent again for %s", flow, operation, time);
        }
    }

    /** What is lossy has lost, and goes on. */
    private void sayFarewell() {
        List<Operation> farewells = lossy.stream().map(LossyFlow::farewell).toList();
        world.poll();
        world.pass(MOMENT);
        for (int i = 0; i < farewells.size(); i++) {
            Operation operation = farewells.get(i);
            unless(operation.deliveries == 1, "%s: on a good network %s arrived %d times", lossy.get(i), operation,
                    operation.deliveries);
        }
    }
}
