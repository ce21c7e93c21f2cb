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

/** Executes a script on two devices, with connections of each type between them, and checks the results. */
final class ScriptRunner implements AutoCloseable {
    static final int FLOWS = 8;
    /** The number of the first flow of the second reliable connection between the devices. */
    static final int SECOND_PAIR = 6;
    static final int MAX_DATAGRAM = 4096;
    static final int QKEY = 0x1234;
    private static final int PORT = 1;
    private static final int SENDS = 96;
    private static final int RECEIVES = 256;
    private static final int PSN_NEAR_WRAP = 0xFFFFF8;
    /** A run with more events than this is taken to be endless. */
    private static final int MAX_EVENTS = 1_000_000;

    /** The memory of both sides, reused by successive runs. */
    static final class Buffers {
        private final Side.Buffer left = new Side.Buffer();
        private final Side.Buffer right = new Side.Buffer();
    }

    private final Script script;
    private final Side left;
    private final Side right;
    private final SimulatedNetwork network;
    private final List<Flow> flows = new ArrayList<>();
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<Runnable> deferredChecks = new ArrayList<>();
    private boolean faulty;
    /** Whether the delay of the link was changed or varies. */
    private boolean delayChanged;
    private boolean linkReset;
    private boolean mayDuplicate;
    private boolean tearingDown;
    private int events;
    private PacketHistory history;
    private long historyPackets;
    private Duration historyTime;

    ScriptRunner(Script script, Buffers buffers) {
        this.script = script;
        String options = "?seed=" + script.seed() + "&network=traffic&time=stepped";
        left = new Side(Verbs.open("soft:sim0" + options), buffers.left);
        right = new Side(Verbs.open("soft:sim1" + options), buffers.right);
        network = left.context.device().capability(SimulatedNetwork.class).orElseThrow();
        addReliableFlows();
        addUnreliableFlows(QpType.UC);
        addUnreliableFlows(QpType.UD);
        addReliableFlows();
    }

    private void addReliableFlows() {
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

    private void addUnreliableFlows(QpType type) {
        QueuePair one = queuePair(left, type);
        QueuePair other = queuePair(right, type);
        connect(one, other);
        boolean datagrams = type == QpType.UD;
        flows.add(new UnreliableFlow(this, flows.size(), left, right, one, other,
                datagrams ? left.pd.createAddressHandle(addressTo(other)) : null));
        flows.add(new UnreliableFlow(this, flows.size(), right, left, other, one,
                datagrams ? right.pd.createAddressHandle(addressTo(one)) : null));
    }

    private static AhAttributes addressTo(QueuePair to) {
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

    /** Returns the first PSN that a queue pair sends. */
    int psn(QueuePair of) {
        return script.terms().wraps() ? PSN_NEAR_WRAP : of.localInfo().psn();
    }

    private void toRts(QueuePair qp, QueuePair peer) {
        Terms terms = script.terms();
        QpType type = qp.type();
        QpAttributes.Builder init = QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT);
        qp.modify((type == QpType.UD ? init.qkey(QKEY) : init.accessFlags(Side.ALL)).build());
        QpAttributes.Builder ready = QpAttributes.builder().state(QpState.RTR);
        if (type != QpType.UD) {
            ready.addressVector(addressTo(peer)).pathMtu(terms.mtu()).destinationQpn(peer.number()).rqPsn(psn(peer));
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

    /** Whether packets may have been lost or overtaken. */
    boolean isFaulty() {
        return faulty;
    }

    boolean mayDuplicate() {
        return mayDuplicate;
    }

    boolean isTearingDown() {
        return tearingDown;
    }

    /** Counts the disturbed packets of reliable connections in flight since a time. */
    long disturbed(Duration since) {
        return history().disturbed(since, script.terms().ackTimeout().dividedBy(2));
    }

    /** Returns a current snapshot of the packet log. */
    PacketHistory history() {
        if (history == null || historyPackets != packets() || !historyTime.equals(now())) {
            history = new PacketHistory(network);
            historyPackets = packets();
            historyTime = now();
        }
        return history;
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

    /** Executes the script and checks the results. */
    void run() {
        for (Step step : script.steps()) {
            perform(step);
            poll();
        }
        new FinalPhase(this).run();
        tearingDown = true;
        for (QueuePair qp : queuePairs) {
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        }
        poll();
        advance(FinalPhase.QUIET_TIME);
        for (Flow flow : flows) {
            flow.checkFinalState();
            flow.checkReceives();
        }
        left.checkMemory("the left side");
        right.checkMemory("the right side");
    }

    private void perform(Step step) {
        switch (step) {
            case Step.Post post -> flows.get(post.flow()).post(post);
            case Step.Receive receive -> flows.get(receive.flow()).receive(receive.count(), receive.capacity());
            case Step.Advance advance -> advance(Duration.ofNanos(advance.nanos()));
            case Step.Heal heal -> network.heal();
            case Step.Cut cut -> cutLink(cut.direction());
            case Step.Change change -> {
                faulty |= change.fault() != Fault.DELAY && change.fault() != Fault.JITTER
                        && change.fault() != Fault.PERFECT;
                // a link that was reset ignores packets in flight: later ones with a shorter delay overtake them
                faulty |= delayChanged && change.fault() == Fault.PERFECT || linkReset && change.fault() == Fault.DELAY;
                delayChanged |= change.fault() == Fault.DELAY || change.fault() == Fault.JITTER;
                linkReset |= change.fault() == Fault.PERFECT;
                mayDuplicate |= change.fault() == Fault.DUPLICATE;
                change(link(change.direction()), change);
            }
        }
    }

    /** Advances the time and polls. */
    void advance(Duration time) {
        runUntil(() -> false, time);
        poll();
    }

    /** Advances the time until a condition holds; returns whether it holds. */
    boolean runUntil(BooleanSupplier condition, Duration atMost) {
        return network.runUntil(() -> {
            unless(++events <= MAX_EVENTS, "endless run: more than " + MAX_EVENTS + " events by %s",
                    network.now());
            return condition.getAsBoolean();
        }, atMost);
    }

    /** Cuts the link in one direction, 1 or 2, or both, 0. */
    void cutLink(int direction) {
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

    /** Runs a check after both sides have been polled. */
    void checkLater(Runnable check) {
        deferredChecks.add(check);
    }

    void poll() {
        poll(left);
        poll(right);
        deferredChecks.forEach(Runnable::run);
        deferredChecks.clear();
    }

    private void poll(Side side) {
        for (int count = side.cq.poll(side.completions); count > 0; count = side.cq.poll(side.completions)) {
            for (int i = 0; i < count; i++) {
                int flow = Flow.flowOf(side.completions.wrId(i));
                unless(flow >= 0 && flow < FLOWS, "completion with unknown wr_id %x", side.completions.wrId(i));
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
