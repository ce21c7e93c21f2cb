package io.jverbs.soft.traffic;

import static io.jverbs.soft.traffic.Violation.unless;

import io.jverbs.AhAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.Verbs;
import io.jverbs.control.SimulatedLink;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.soft.traffic.Script.Terms;
import io.jverbs.soft.traffic.Step.Fault;
import io.jverbs.soft.traffic.Step.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two devices, a connection of each type between them, and a script that is carried out on them. */
final class World implements AutoCloseable {
    static final int FLOWS = 6;
    static final int MOST_BYTES = 4096;
    static final int MOST_DATAGRAM = 1024;
    static final int QKEY = 0x1234;
    private static final int PORT = 1;
    private static final int REQUESTS = 256;
    private static final int NEAR_THE_END = 0xFFFFF8;
    private static final Duration MOMENT = Duration.ofMillis(50);
    /** Longer than all retries of the longest timeouts. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** What worlds use one after the other. */
    static final class Rooms {
        private final Side.Room left = new Side.Room();
        private final Side.Room right = new Side.Room();
    }

    private final Script script;
    private final Side left;
    private final Side right;
    private final SimulatedNetwork network;
    private final List<Flow> flows = new ArrayList<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<Runnable> judgements = new ArrayList<>();
    private boolean faulty;
    private boolean slow;
    private boolean mayDuplicate;
    private boolean concluding;

    World(Script script, Rooms rooms) {
        this.script = script;
        String options = "?seed=" + script.seed() + "&network=traffic&time=stepped";
        left = new Side(Verbs.open("soft:sim0" + options), rooms.left);
        right = new Side(Verbs.open("soft:sim1" + options), rooms.right);
        network = left.context.device().capability(SimulatedNetwork.class).orElseThrow();
        reliable();
        lossy(QpType.UC);
        lossy(QpType.UD);
    }

    private void reliable() {
        QueuePair one = queuePair(left, QpType.RC);
        QueuePair other = queuePair(right, QpType.RC);
        connect(one, other);
        ReliableFlow there = new ReliableFlow(this, flows.size(), left, right, one, other);
        flows.add(there);
        ReliableFlow back = new ReliableFlow(this, flows.size(), right, left, other, one);
        flows.add(back);
        there.opposite(back);
        back.opposite(there);
    }

    private void lossy(QpType type) {
        QueuePair one = queuePair(left, type);
        QueuePair other = queuePair(right, type);
        connect(one, other);
        boolean datagrams = type == QpType.UD;
        flows.add(new LossyFlow(this, flows.size(), left, right, one, other,
                datagrams ? left.pd.createAddressHandle(way(other)) : null));
        flows.add(new LossyFlow(this, flows.size(), right, left, other, one,
                datagrams ? right.pd.createAddressHandle(way(one)) : null));
    }

    private static AhAttributes way(QueuePair to) {
        return AhAttributes.to(to.localInfo().gid(), PORT, 1);
    }

    private QueuePair queuePair(Side side, QpType type) {
        QueuePair made = side.pd.createQueuePair(QpInitAttributes.builder(type).cq(side.cq).maxSendWr(REQUESTS)
                .maxRecvWr(REQUESTS).maxSendSge(1).maxRecvSge(1).build());
        queuePairs.add(made);
        return made;
    }

    private void connect(QueuePair one, QueuePair other) {
        toRts(one, other);
        toRts(other, one);
    }

    private int psn(QueuePair of) {
        return script.terms().wraps() ? NEAR_THE_END : of.localInfo().psn();
    }

    private void toRts(QueuePair qp, QueuePair peer) {
        Terms terms = script.terms();
        QpType type = qp.type();
        QpAttributes.Builder init = QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT);
        qp.modify((type == QpType.UD ? init.qkey(QKEY) : init.accessFlags(Side.ALL)).build());
        QpAttributes.Builder ready = QpAttributes.builder().state(QpState.RTR);
        if (type != QpType.UD) {
            ready.addressVector(way(peer)).pathMtu(terms.mtu()).destinationQpn(peer.number()).rqPsn(psn(peer));
        }
        QpAttributes.Builder send = QpAttributes.builder().state(QpState.RTS).sqPsn(psn(qp));
        if (type == QpType.RC) {
            ready.maxDestRdAtomic(terms.reads()).minRnrTimer(terms.rnrTimer());
            send.timeout(terms.timeout()).retryCount(terms.retries()).rnrRetry(terms.rnrRetries())
                    .maxRdAtomic(terms.reads());
        }
        qp.modify(ready.build());
        qp.modify(send.build());
    }

    Script script() {
        return script;
    }

    /** Whether packets may have been lost, or have been late. */
    boolean isFaulty() {
        return faulty;
    }

    boolean mayDuplicate() {
        return mayDuplicate;
    }

    boolean isConcluding() {
        return concluding;
    }

    /**
     * How many packets of reliable connections that something happened to were under way since some time: each can use up a retry.
     * Very many where packets were late, which may use up any number.
     */
    long disturbed(Duration since) {
        if (slow) {
            return Integer.MAX_VALUE;
        }
        return network.packetLog().stream()
                .filter(packet -> packet.arrives().compareTo(since) >= 0 && packet.opcode().startsWith("RC"))
                .filter(packet -> packet.fate() != Fate.ARRIVED && packet.fate() != Fate.UNDER_WAY || packet.copy()
                        || packet.heldBack() || packet.flippedBits() != 0)
                .count();
    }

    Duration now() {
        return network.now();
    }

    String hash() {
        return network.packetLogHash();
    }

    List<SimulatedPacket> latest() {
        return network.packetLog();
    }

    long packets() {
        return network.packetCount();
    }

    /** Carries the script out and judges it. */
    void run() {
        for (Step step : script.steps()) {
            perform(step);
            poll();
        }
        settle();
        concluding = true;
        for (QueuePair qp : queuePairs) {
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        }
        poll();
        network.advance(MOMENT);
        poll();
        for (Flow flow : flows) {
            flow.conclude();
            flow.checkReceives();
        }
        left.checkMemory("the left side");
        right.checkMemory("the right side");
    }

    private void perform(Step step) {
        switch (step) {
            case Step.Post post -> flows.get(post.flow()).post(post);
            case Step.Receive receive -> flows.get(receive.flow()).receive(receive.count(), receive.capacity());
            case Step.Pass pass -> network.advance(Duration.ofNanos(pass.nanos()));
            case Step.Heal heal -> network.heal();
            case Step.Cut cut -> {
                faulty = true;
                link(cut.direction()).partition();
            }
            case Step.Change change -> {
                faulty |= change.fault() != Fault.DELAY && change.fault() != Fault.JITTER
                        && change.fault() != Fault.PERFECT;
                slow |= change.fault() == Fault.BANDWIDTH;
                mayDuplicate |= change.fault() == Fault.DUPLICATE;
                change(link(change.direction()), change);
            }
        }
    }

    private SimulatedLink link(int direction) {
        return switch (direction) {
            case 1 -> network.path(0, 1);
            case 2 -> network.path(1, 0);
            default -> network.link(0, 1);
        };
    }

    private static void change(SimulatedLink link, Step.Change change) {
        double p = change.probability();
        int amount = change.amount();
        switch (change.fault()) {
            case LOSS -> link.loss(p);
            case BURST -> link.burstLoss(p / 4, p, 0.9);
            case DUPLICATE -> link.duplicate(p);
            case REORDER -> link.reorder(p, Duration.ofNanos(amount / 16));
            case CORRUPT -> link.corrupt(p);
            case DELAY -> link.delay(Duration.ofNanos(amount / 64));
            case JITTER -> link.jitter(Duration.ofNanos(amount / 64));
            case BANDWIDTH -> link.bandwidth(10_000_000L + amount * 1_000L);
            case MTU -> link.mtu(400 + amount % 1000);
            case PERFECT -> link.perfect();
        }
    }

    /** Judges something when both sides have been polled. */
    void later(Runnable judgement) {
        judgements.add(judgement);
    }

    private void poll() {
        poll(left);
        poll(right);
        judgements.forEach(Runnable::run);
        judgements.clear();
    }

    private void poll(Side side) {
        for (int count = side.cq.poll(side.completions); count > 0; count = side.cq.poll(side.completions)) {
            for (int i = 0; i < count; i++) {
                int flow = Flow.flowOf(side.completions.wrId(i));
                unless(flow >= 0 && flow < FLOWS, "a completion with wr_id %x", side.completions.wrId(i));
                flows.get(flow).completed(side.completions, i);
            }
        }
    }

    /** With a good network and receive requests enough, all ends that was begun. */
    private void settle() {
        network.heal();
        network.links().perfect();
        for (Flow flow : flows) {
            if (flow instanceof ReliableFlow) {
                // whose completion tells of those without one
                flow.post(new Step.Post(flow.number, Kind.SEND, 1, 0, Step.SIGNALED));
                flow.receive(Math.max(0, flow.consuming.size() - flow.receives.size()), MOST_BYTES);
            }
        }
        boolean settled = network.runUntil(() -> {
            poll();
            return flows.stream().noneMatch(Flow::isOwed);
        }, PATIENCE);
        unless(settled, "after %s on a good network not every request is complete: %s", PATIENCE,
                flows.stream().filter(Flow::isOwed).toList());
        network.advance(MOMENT);
        poll();
    }

    @Override
    public void close() {
        left.context.close();
        right.context.close();
    }
}
