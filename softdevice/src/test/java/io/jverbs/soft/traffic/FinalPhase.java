package io.jverbs.soft.traffic;

import static io.jverbs.soft.traffic.Violation.unless;

import io.jverbs.WcStatus;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.soft.traffic.Script.End;
import io.jverbs.soft.traffic.Script.Terms;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last phase of a run. It cuts the link or congests the network if the script says so, makes the network perfect,
 * waits until all requests have completed, and checks how they completed.
 */
final class FinalPhase {
    static final Duration QUIET_TIME = Duration.ofMillis(50);
    /** Longer than any packet is in flight on a network without faults. */
    private static final Duration MAX_TRANSIT = Duration.ofNanos(100_000);
    /** Longer than all retries of the longest timeouts. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** How much longer a connection may wait for a receiver that is not ready and for other connections. */
    private static final Duration MARGIN = Duration.ofMillis(300);
    private static final int MAX_TIMEOUT_FACTOR = 4;
    /** The adaptive time doubles with each expiry, from 8 ms on, and is soon as long as the ACK timeout. */
    private static final int MAX_EARLY = 8;
    /** How many of the longest packets on each connection exceed the window of two connections. */
    private static final int CONGESTING_PACKETS = 20;

    private final ScriptRunner runner;
    private final Terms terms;
    private final List<ReliableFlow> reliable;
    private final List<UnreliableFlow> unreliable;

    FinalPhase(ScriptRunner runner) {
        this.runner = runner;
        terms = runner.script().terms();
        reliable = of(ReliableFlow.class);
        unreliable = of(UnreliableFlow.class);
    }

    private <T extends Flow> List<T> of(Class<T> type) {
        return runner.flows().stream().filter(type::isInstance).map(type::cast).toList();
    }

    void run() {
        if (!runner.isFaulty()) {
            // on the perfect network later packets would overtake those in flight
            runner.advance(MAX_TRANSIT);
        }
        runner.network().heal();
        runner.network().links().perfect();
        switch (terms.end()) {
            case GOOD, NO_RECEIVES -> {
                // nothing to change
            }
            case CUT -> cut(0);
            case CUT_FORWARD -> cut(1);
            case CUT_BACKWARD -> cut(2);
            case CONGESTED -> congest();
        }
        for (ReliableFlow flow : reliable) {
            // its completion shows that earlier unsignaled requests are complete
            post(flow, Kind.SEND);
            if (terms.end() != End.NO_RECEIVES || !flow.lacksReceives()) {
                flow.receive(Math.max(0, flow.consuming.size() - flow.receives.size()), terms.maxBytes());
            }
        }
        boolean completed = runner.runUntil(() -> {
            runner.poll();
            return runner.flows().stream().noneMatch(Flow::hasOutstanding);
        }, TIMEOUT);
        unless(completed, "requests are outstanding after %s on a perfect network: %s", TIMEOUT,
                runner.flows().stream().filter(Flow::hasOutstanding).toList());
        runner.advance(QUIET_TIME);
        for (Duration waited = QUIET_TIME; !runner.history().isIdle() && waited.compareTo(TIMEOUT) < 0;) {
            runner.advance(QUIET_TIME);
            waited = waited.plus(QUIET_TIME);
        }
        checkUnreliableFlows();
    }

    private static Operation post(Flow flow, Kind kind) {
        return post(flow, kind, 1);
    }

    private static Operation post(Flow flow, Kind kind, int length) {
        return flow.post(new Step.Post(flow.number, kind, length, 0, Step.SIGNALED));
    }

    private void congest() {
        for (int packets = 0; packets < CONGESTING_PACKETS; packets += terms.packets()) {
            reliable.forEach(flow -> post(flow, Kind.WRITE, terms.maxBytes()));
        }
    }

    /**
     * Cuts the link for longer than all retries take. Every reliable connection with an outstanding request must fail.
     */
    private void cut(int direction) {
        Map<ReliableFlow, Operation> first = new HashMap<>();
        runner.advance(QUIET_TIME);
        List<ReliableFlow> idle = reliable.stream().filter(flow -> !flow.hasOutstanding() && flow.isHealthy()).toList();
        runner.cutLink(direction);
        for (ReliableFlow flow : reliable) {
            first.put(flow, post(flow, Kind.values()[flow.posted.size() % Kind.values().length]));
            flow.receive(Math.max(0, flow.consuming.size() - flow.receives.size()), terms.maxBytes());
        }
        List<ReliableFlow> unaffected = idle.stream().filter(ReliableFlow::isHealthy).toList();
        runner.advance(terms.ackTimeout().multipliedBy(MAX_TIMEOUT_FACTOR * (terms.retries() + 2L)).plus(MARGIN));
        for (ReliableFlow flow : reliable) {
            unless(!flow.hasOutstanding(), "%s: requests are outstanding after a cut that is longer than all retries",
                    flow);
            unless(flow.hasFailed(), "%s: no request failed in a cut that is longer than all retries", flow);
        }
        unaffected.forEach(flow -> checkRetries(flow, first.get(flow)));
        runner.network().heal();
    }

    /**
     * Checks that the first request in a cut was sent retry_cnt + 1 times, with the local ACK timeout between, apart
     * from the packets that were sent again earlier.
     */
    private void checkRetries(ReliableFlow flow, Operation operation) {
        unless(operation.status == WcStatus.RETRY_EXC_ERR, "%s: %s completed with %s while the link was cut", flow,
                operation, operation.status);
        if (runner.history().isComplete()) {
            List<SimulatedPacket> all = runner.history().transmissions(flow.receiver, operation.firstPsn);
            List<SimulatedPacket> transmissions = withoutAdaptive(all);
            unless(all.size() - transmissions.size() <= MAX_EARLY, "%s: %s was sent %d times before the ACK timeout",
                    flow, operation, all.size() - transmissions.size());
            unless(transmissions.size() == terms.retries() + 1, "%s: %s failed after it was sent %d times", flow,
                    operation, transmissions.size());
            Duration time = transmissions.getLast().sent().minus(transmissions.getFirst().sent());
            Duration least = terms.ackTimeout().multipliedBy(terms.retries());
            unless(time.compareTo(least) >= 0 && time.compareTo(least.multipliedBy(MAX_TIMEOUT_FACTOR)) <= 0,
                    "%s: %s was retransmitted for %s", flow, operation, time);
        }
    }

    /** Leaves out the packets that were sent before the ACK timeout, which doubles with each of the first two. */
    private List<SimulatedPacket> withoutAdaptive(List<SimulatedPacket> all) {
        List<SimulatedPacket> counted = new ArrayList<>();
        for (SimulatedPacket packet : all) {
            long factor = 1L << Math.min(Math.max(0, counted.size() - 1), 2);
            if (counted.isEmpty() || packet.sent().minus(counted.getLast().sent())
                    .compareTo(terms.ackTimeout().multipliedBy(factor)) >= 0) {
                counted.add(packet);
            }
        }
        return counted;
    }

    /** Checks that unreliable flows still deliver a message on the perfect network. */
    private void checkUnreliableFlows() {
        List<Operation> finalMessages = unreliable.stream().map(UnreliableFlow::sendFinalMessage).toList();
        runner.poll();
        runner.advance(QUIET_TIME);
        for (int i = 0; i < finalMessages.size(); i++) {
            Operation operation = finalMessages.get(i);
            unless(operation.deliveries == 1, "%s: on a perfect network %s arrived %d times",
                    unreliable.get(i), operation, operation.deliveries);
        }
    }
}
