package io.jverbs.soft.traffic;

import static io.jverbs.soft.traffic.Violation.unless;

import io.jverbs.AddressHandle;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcFlags;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.soft.traffic.Step.Kind;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A direction of an unreliable connection, or of datagrams: requests complete at once; what arrives was sent here, and is whole. What
 * came without a fault, to a receive request that was there, is delivered, whatever happened before it.
 */
final class LossyFlow extends Flow {
    private static final int GRH = 40;
    private static final int WRONG_QKEY = 0x666;

    private final boolean datagrams;
    private final AddressHandle way;
    private int settled;
    private int latest = -1;
    /** A request failed, and those behind it will. */
    private boolean stuck;
    /** Requests that were posted when it was so. */
    private final Set<Operation> flushed = new HashSet<>();

    /** @param way to the receiver, for datagrams */
    LossyFlow(World world, int number, Side from, Side to, QueuePair sender, QueuePair receiver, AddressHandle way) {
        super(world, number, from, to, sender, receiver);
        this.datagrams = sender.type() == QpType.UD;
        this.way = way;
    }

    @Override
    boolean takes(Kind kind) {
        return kind == Kind.SEND || !datagrams && (kind == Kind.WRITE || kind == Kind.WRITE_IMM);
    }

    @Override
    int headroom() {
        return datagrams ? GRH : 0;
    }

    @Override
    int length(Step.Post step) {
        return datagrams ? step.length() % (World.MOST_DATAGRAM + 1) : step.length();
    }

    /** A place of its own: a packet that comes late, or twice, disturbs nothing. */
    @Override
    int remote(Step.Post step, int length) {
        return step.kind() == Kind.SEND ? 0 : to.allocate(length);
    }

    /** Who finds the queue in error puts it right, or not yet. */
    @Override
    void prepare(Step.Post next) {
        if (stuck && next.place() % 2 == 0) {
            putRight();
        }
    }

    /** Takes the send queue out of its error. */
    void putRight() {
        if (stuck) {
            sender.modify(QpAttributes.builder().state(QpState.RTS).build());
            stuck = false;
        }
    }

    @Override
    boolean staysHere(Operation operation) {
        if (stuck) {
            flushed.add(operation);
        }
        return stuck || super.staysHere(operation);
    }

    @Override
    int packets(Operation operation) {
        return datagrams ? 1 : super.packets(operation);
    }

    @Override
    void address(SendWorkRequest datagram, Operation operation) {
        if (datagrams) {
            datagram.destination(way, receiver.number(), operation.is(Step.WRONG_KEY) ? WRONG_QKEY : World.QKEY);
        }
    }

    /** Whether nothing of it may be taken for good. */
    private boolean isForeign(Operation operation) {
        return operation.packets == 0 || (datagrams ? operation.is(Step.WRONG_KEY) : operation.lacksRight());
    }

    private WcStatus due(Operation operation) {
        if (flushed.contains(operation)) {
            return WcStatus.WR_FLUSH_ERR;
        }
        return operation.staysHere() ? WcStatus.LOC_PROT_ERR : WcStatus.SUCCESS;
    }

    private boolean hasCompletion(Operation operation) {
        return operation.is(Step.SIGNALED) || due(operation) != WcStatus.SUCCESS;
    }

    @Override
    void sent(Operation operation, WcStatus status) {
        unless(status == due(operation), "%s: %s completed with %s, not %s", this, operation, status, due(operation));
        unless(hasCompletion(operation) && operation.index >= settled, "%s: %s completed unasked or twice", this,
                operation);
        for (; settled < operation.index; settled++) {
            unless(!hasCompletion(posted.get(settled)), "%s: %s has no completion", this, posted.get(settled));
        }
        settled++;
        operation.status = status;
        stuck |= status == WcStatus.LOC_PROT_ERR;
    }

    @Override
    void arrived(Posted into, WcStatus status, WorkCompletions completions, int which) {
        if (status == WcStatus.WR_FLUSH_ERR) {
            unless(world.isConcluding(), "%s: receive request %d was flushed", this, received - 1);
            acceptTorn(into, 0);
            return;
        }
        unless(status == WcStatus.SUCCESS, "%s: receive request %d completed with %s", this, received - 1, status);
        unless(!datagrams || completions.sourceQp(which) == sender.number(), "%s: a datagram of queue pair %x", this,
                completions.sourceQp(which));
        unless(datagrams == ((completions.flags(which) & WcFlags.GRH) != 0), "%s: flags %x", this,
                completions.flags(which));
        Operation operation = (completions.flags(which) & WcFlags.WITH_IMM) != 0
                ? named(completions.immediate(which))
                : likely(into, completions.byteLength(which) - headroom());
        unless(!isForeign(operation), "%s: %s arrived, which it must not", this, operation);
        checkMessage(operation, into, completions, which);
        acceptTorn(into, operation.kind == Kind.SEND ? operation.length() : 0);
        if (operation.kind == Kind.WRITE_IMM) {
            unless(to.holds(operation.remote, operation.content), "%s: %s arrived before all of its data", this,
                    operation);
        }
        unless(operation.deliveries == 1 || world.mayDuplicate(), "%s: %s arrived twice", this, operation);
        unless(operation.index > latest || world.isFaulty(), "%s: %s arrived out of order", this, operation);
        latest = operation.index;
    }

    /** A message of which packets were lost, or that did not fit, may have been there before; a datagram never is there in part. */
    private void acceptTorn(Posted into, int from) {
        if (!datagrams && (world.isFaulty() || into.capacity() < world.script().terms().mostBytes())) {
            acceptPart(into, from, operation -> !isForeign(operation));
        }
    }

    @Override
    void checkHeader(Operation operation, Posted into) {
        if (datagrams) {
            byte[] header = Header.before(operation, sender.localInfo().gid(), receiver.localInfo().gid());
            unless(to.holds(into.at(), header), "%s: %s arrived behind another header than that of its packet", this,
                    operation);
            to.expect(into.at(), header);
        }
    }

    /** A message without immediate data is known by its bytes; of those that hold the same it is the next that did not come yet. */
    private Operation likely(Posted into, long length) {
        Operation best = null;
        for (Operation operation : consuming) {
            if (operation.length() == length && operation.kind == Kind.SEND && !operation.hasImmediate()
                    && !isForeign(operation) && to.holds(into.at() + headroom(), operation.content)
                    && (best == null || best.deliveries > operation.deliveries
                            || best.deliveries == operation.deliveries && best.index <= latest)) {
                best = operation;
            }
        }
        unless(best != null, "%s: %d bytes arrived that nobody sent so", this, length);
        return best;
    }

    /** Sends a message on a network that is good by now, to a receive request that is there. */
    Operation farewell() {
        putRight();
        receive(1, world.script().terms().mostBytes());
        int most = Math.min(receives.get(received).capacity(), length(new Step.Post(number, Kind.SEND,
                3 * world.script().terms().mtu().bytes(), 0, 0)));
        return post(new Step.Post(number, Kind.SEND, most, 0, Step.SIGNALED | Step.IMMEDIATE));
    }

    @Override
    boolean isOwed() {
        return posted.subList(settled, posted.size()).stream().anyMatch(this::hasCompletion);
    }

    @Override
    void conclude() {
        unless(!isOwed(), "%s: of %d requests only %d completed", this, posted.size(), settled);
        boolean ordinary = receives.stream()
                .allMatch(receive -> receive.capacity() >= world.script().terms().mostBytes());
        Set<Operation> due = !posted.isEmpty() && world.trail().isComplete()
                ? whole(world.trail().arrivals(receiver))
                : new HashSet<>();
        for (Operation operation : posted) {
            if (operation.kind.consumesReceive() && operation.receiveWasThere && ordinary && !world.isFaulty()
                    && !isForeign(operation)) {
                due.add(operation);
            }
        }
        for (Operation operation : posted) {
            unless(!operation.kind.consumesReceive() || !due.contains(operation) || isDelivered(operation, due),
                    "%s: %s came without a fault, but was not delivered", this, operation);
            if (operation.kind != Kind.SEND) {
                checkWritten(operation, due.contains(operation));
            }
        }
    }

    /** Those without immediate data that hold the same are not told apart. */
    private boolean isDelivered(Operation operation, Set<Operation> due) {
        if (operation.deliveries != 0) {
            return true;
        }
        List<Operation> alike = consuming.stream().filter(other -> other.kind == Kind.SEND
                && operation.kind == Kind.SEND && !operation.hasImmediate() && !other.hasImmediate()
                && bytes(other).equals(bytes(operation))).toList();
        return alike.stream().mapToInt(other -> other.deliveries).sum() >= alike.stream().filter(due::contains)
                .count() && !alike.isEmpty();
    }

    private static ByteBuffer bytes(Operation operation) {
        return ByteBuffer.wrap(operation.content);
    }

    /** The messages whose packets came undamaged, one behind the other, when there was a receive request with room if they need one. */
    private Set<Operation> whole(List<SimulatedPacket> arrivals) {
        Map<Integer, Operation> byFirst = new HashMap<>();
        Map<Integer, Operation> byLast = new HashMap<>();
        for (Operation operation : posted) {
            if (!isForeign(operation)) {
                byFirst.put(operation.firstPsn, operation);
                byLast.put(operation.firstPsn + operation.packets - 1 & Operation.PSN_MASK, operation);
            }
        }
        Set<Operation> whole = new HashSet<>();
        int consumed = 0;
        for (int i = 0; i < arrivals.size(); i++) {
            Operation begun = byFirst.get(arrivals.get(i).psn());
            if (begun != null && comesWhole(begun, arrivals, i) && (!begun.kind.consumesReceive()
                    || hasRoom(begun, consumed, arrivals.get(i)))) {
                whole.add(begun);
            }
            Operation ended = byLast.get(arrivals.get(i).psn());
            if (ended != null && ended.kind.consumesReceive()) {
                consumed++;
            }
        }
        return whole;
    }

    private static boolean comesWhole(Operation operation, List<SimulatedPacket> arrivals, int first) {
        if (first + operation.packets > arrivals.size()) {
            return false;
        }
        for (int i = 0; i < operation.packets; i++) {
            SimulatedPacket packet = arrivals.get(first + i);
            if (packet.flippedBits() != 0 || packet.psn() != (operation.firstPsn + i & Operation.PSN_MASK)) {
                return false;
            }
        }
        return true;
    }

    /** Whether, when so many messages at most have used one, the next receive request is there and has room. */
    private boolean hasRoom(Operation operation, int consumed, SimulatedPacket packet) {
        return consumed < receives.size() && receives.get(consumed).isBefore(packet) && receives
                .subList(0, consumed + 1).stream().allMatch(receive -> receive.capacity() >= operation.length());
    }

    private void checkWritten(Operation write, boolean all) {
        for (int i = 0; i < write.length(); i++) {
            byte found = to.at(write.remote + i);
            boolean nothing = found == 0 && !all
                    && (world.isFaulty() || isForeign(write) || write.kind == Kind.WRITE_IMM);
            unless(nothing || found == write.content[i] && !isForeign(write),
                    "%s: byte %d of what %s writes is %d, not %d", this, i, write, found, write.content[i]);
        }
        to.accept(write.remote, write.length());
    }
}
