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
import io.jverbs.soft.traffic.Script.Terms;
import io.jverbs.soft.traffic.Step.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Two devices, a connection of each type between them, and a script that is carried out on them. */
final class World implements AutoCloseable {
    static final int FLOWS = 8;
    /** The flow from which on those of a second reliable connection between the same devices are. */
    static final int SECOND_PAIR = 6;
    static final int MOST_DATAGRAM = 4096;
    static final int QKEY = 0x1234;
    private static final int PORT = 1;
    private static final int SENDS = 96;
    private static final int RECEIVES = 256;
    private static final int NEAR_THE_END = 0xFFFFF8;
    /** So many things never happen in a world in which all goes as it must. */
    private static final int MOST_HAPPENINGS = 1_000_000;

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
    /** The link has taken another time than at first, or different times. */
    private boolean uneven;
    private boolean renewed;
    private boolean mayDuplicate;
    private boolean concluding;
    private int happenings;
    private Trail trail;
    private long trailCount;
    private Duration trailTime;

    World(Script script, Rooms rooms) {
        this.script = script;
        String options = "?seed=" + script.seed() + "&network=traffic&time=stepped";
        left = new Side(Verbs.open("soft:sim0" + options), rooms.left);
        right = new Side(Verbs.open("soft:sim1" + options), rooms.right);
        network = left.context.device().capability(SimulatedNetwork.class).orElseThrow();
        reliable();
        lossy(QpType.UC);
        lossy(QpType.UD);
        reliable();
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
        QueuePair made = side.pd.createQueuePair(QpInitAttributes.builder(type).cq(side.cq).maxSendWr(SENDS)
                .maxRecvWr(RECEIVES).maxSendSge(1).maxRecvSge(1).build());
        queuePairs.add(made);
        return made;
    }

    private void connect(QueuePair one, QueuePair other) {
        toRts(one, other);
        toRts(other, one);
    }

    /** The first PSN that a queue pair sends. */
    int psn(QueuePair of) {
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

    /** How many packets of reliable connections that something happened to were under way since some time. */
    long disturbed(Duration since) {
        return trail().disturbed(since, script.terms().ackTimeout().dividedBy(2));
    }

    /** What has become of packets by now. */
    Trail trail() {
        if (trail == null || trailCount != packets() || !trailTime.equals(now())) {
            trail = new Trail(network);
            trailCount = packets();
            trailTime = now();
        }
        return trail;
    }

    List<Flow> flows() {
        return flows;
    }

    SimulatedNetwork network() {
        return network;
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
        new Ending(this).settle();
        concluding = true;
        for (QueuePair qp : queuePairs) {
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        }
        poll();
        pass(Ending.MOMENT);
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
            case Step.Pass pass -> pass(Duration.ofNanos(pass.nanos()));
            case Step.Heal heal -> network.heal();
            case Step.Cut cut -> beCut(cut.direction());
            case Step.Change change -> {
                faulty |= change.fault() != Fault.DELAY && change.fault() != Fault.JITTER
                        && change.fault() != Fault.PERFECT;
                // a link that begins anew forgets those under way: later ones overtake them if they take less time
                faulty |= uneven && change.fault() == Fault.PERFECT || renewed && change.fault() == Fault.DELAY;
                uneven |= change.fault() == Fault.DELAY || change.fault() == Fault.JITTER;
                renewed |= change.fault() == Fault.PERFECT;
                mayDuplicate |= change.fault() == Fault.DUPLICATE;
                change(link(change.direction()), change);
            }
        }
    }

    /** Lets time pass, and polls. */
    void pass(Duration time) {
        runUntil(() -> false, time);
        poll();
    }

    /** Lets time pass until a condition holds; whether it does. */
    boolean runUntil(BooleanSupplier condition, Duration atMost) {
        return network.runUntil(() -> {
            unless(++happenings <= MOST_HAPPENINGS, "by %s so much has happened that it is taken to go on for ever",
                    network.now());
            return condition.getAsBoolean();
        }, atMost);
    }

    /** Cuts the link in one direction, 1 or 2, or both, 0. */
    void beCut(int direction) {
        faulty = true;
        link(direction).partition();
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

    void poll() {
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

    @Override
    public void close() {
        left.context.close();
        right.context.close();
    }
}
