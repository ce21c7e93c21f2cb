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
 * One direction of an unreliable connection or of datagrams. Requests complete at once. Every message that arrives was
 * sent on this flow and is intact. A message whose packets arrive without a fault, with a posted receive request, is
 * delivered, whatever happened before it.
 */
final class UnreliableFlow extends Flow {
    private static final int GRH = 40;
    private static final int WRONG_QKEY = 0x666;

    private final boolean datagrams;
    private final AddressHandle addressHandle;
    private int nextIncomplete;
    private int latest = -1;
    /** Whether a request failed, so that later ones are flushed. */
    private boolean inError;
    /** Requests that were posted while the send queue was in error. */
    private final Set<Operation> flushed = new HashSet<>();

    /** @param addressHandle the address handle of the receiver, for datagrams; otherwise null */
    UnreliableFlow(ScriptRunner runner, int number, Side from, Side to, QueuePair sender, QueuePair receiver,
            AddressHandle addressHandle) {
        super(runner, number, from, to, sender, receiver);
        this.datagrams = sender.type() == QpType.UD;
        this.addressHandle = addressHandle;
    }

    @Override
    boolean takes(Kind kind) {
        return kind == Kind.SEND || !datagrams && (kind == Kind.WRITE || kind == Kind.WRITE_IMM);
    }

    @Override
    int grhBytes() {
        return datagrams ? GRH : 0;
    }

    @Override
    int length(Step.Post step) {
        return datagrams ? step.length() % (ScriptRunner.MAX_DATAGRAM + 1) : step.length();
    }

    /** Each WRITE has its own target, so that a late or duplicate packet does not change the data of another one. */
    @Override
    int remote(Step.Post step, int length) {
        return step.kind() == Kind.SEND ? 0 : to.allocate(length);
    }

    /** Takes a send queue in error back to RTS before some requests only, so that others are flushed. */
    @Override
    void prepare(Step.Post next) {
        if (inError && next.place() % 2 == 0) {
            recover();
        }
    }

    /** Moves the queue pair from SQE back to RTS. */
    void recover() {
        if (inError) {
            sender.modify(QpAttributes.builder().state(QpState.RTS).build());
            inError = false;
        }
    }

    @Override
    boolean isNeverSent(Operation operation) {
        if (inError) {
            flushed.add(operation);
        }
        return inError || super.isNeverSent(operation);
    }

    @Override
    int packets(Operation operation) {
        return datagrams ? 1 : super.packets(operation);
    }

    @Override
    void address(SendWorkRequest datagram, Operation operation) {
        if (datagrams) {
            datagram.destination(addressHandle, receiver.number(),
                    operation.has(Step.WRONG_KEY) ? WRONG_QKEY : ScriptRunner.QKEY);
        }
    }

    /** Whether a request must not be delivered: it is never sent, or has a wrong Q_Key or rkey. */
    private boolean mustNotArrive(Operation operation) {
        return operation.packets == 0 || (datagrams ? operation.has(Step.WRONG_KEY) : operation.lacksAccess());
    }

    private WcStatus expectedStatus(Operation operation) {
        if (flushed.contains(operation)) {
            return WcStatus.WR_FLUSH_ERR;
        }
        return operation.isNeverSent() ? WcStatus.LOC_PROT_ERR : WcStatus.SUCCESS;
    }

    private boolean hasCompletion(Operation operation) {
        return operation.has(Step.SIGNALED) || expectedStatus(operation) != WcStatus.SUCCESS;
    }

    @Override
    void sent(Operation operation, WcStatus status) {
        unless(status == expectedStatus(operation), "%s: %s completed with %s, expected %s", this, operation, status,
                expectedStatus(operation));
        unless(hasCompletion(operation) && operation.index >= nextIncomplete,
                "%s: %s completed twice, or although it is unsignaled", this, operation);
        for (; nextIncomplete < operation.index; nextIncomplete++) {
            unless(!hasCompletion(posted.get(nextIncomplete)), "%s: %s has no completion", this,
                    posted.get(nextIncomplete));
        }
        nextIncomplete++;
        operation.status = status;
        inError |= status == WcStatus.LOC_PROT_ERR;
    }

    @Override
    void arrived(PostedReceive into, WcStatus status, WorkCompletions completions, int which) {
        if (status == WcStatus.WR_FLUSH_ERR) {
            unless(runner.isTearingDown(), "%s: receive request %d was flushed", this, received - 1);
            acceptPartial(into, 0);
            return;
        }
        unless(status == WcStatus.SUCCESS, "%s: receive request %d completed with %s", this, received - 1, status);
        unless(!datagrams || completions.sourceQp(which) == sender.number(), "%s: datagram with source queue pair %x",
                this, completions.sourceQp(which));
        unless(datagrams == ((completions.flags(which) & WcFlags.GRH) != 0), "%s: receive completion with flags %x",
                this, completions.flags(which));
        Operation operation = (completions.flags(which) & WcFlags.WITH_IMM) != 0
                ? named(completions.immediate(which))
                : findMatch(into, completions.byteLength(which) - grhBytes());
        unless(!mustNotArrive(operation), "%s: %s arrived but must be dropped", this, operation);
        checkMessage(operation, into, completions, which);
        acceptPartial(into, operation.kind == Kind.SEND ? operation.length() : 0);
        if (operation.kind == Kind.WRITE_IMM) {
            unless(to.holds(operation.remote, operation.content),
                    "%s: %s completed before all of its data was written", this, operation);
        }
        unless(operation.deliveries == 1 || runner.mayDuplicate(), "%s: %s arrived twice", this, operation);
        unless(operation.index > latest || runner.isFaulty(), "%s: %s arrived out of order", this, operation);
        latest = operation.index;
    }

    /**
     * Accepts data of an undelivered message in the buffer. A message that lost packets or did not fit may have been
     * written in part. A datagram is never written in part.
     */
    private void acceptPartial(PostedReceive into, int from) {
        if (!datagrams && (runner.isFaulty() || into.capacity() < runner.script().terms().maxBytes())) {
            acceptPart(into, from, operation -> !mustNotArrive(operation));
        }
    }

    @Override
    void checkHeader(Operation operation, PostedReceive into) {
        if (datagrams) {
            byte[] header = ExpectedGrh.of(operation, sender.localInfo().gid(), receiver.localInfo().gid());
            unless(to.holds(into.at(), header), "%s: %s arrived with a GRH that does not match its packet", this,
                    operation);
            to.expect(into.at(), header);
        }
    }

    /**
     * Finds a message without immediate data by its content. Of messages with the same content it is the next that has
     * not arrived.
     */
    private Operation findMatch(PostedReceive into, long length) {
        Operation best = null;
        for (Operation operation : consuming) {
            if (operation.length() == length && operation.kind == Kind.SEND && !operation.hasImmediate()
                    && !mustNotArrive(operation) && to.holds(into.at() + grhBytes(), operation.content)
                    && (best == null || best.deliveries > operation.deliveries
                            || best.deliveries == operation.deliveries && best.index <= latest)) {
                best = operation;
            }
        }
        unless(best != null, "%s: %d bytes arrived that match no message", this, length);
        return best;
    }

    /** Sends a message on the perfect network, to a posted receive request. */
    Operation sendFinalMessage() {
        recover();
        receive(1, runner.script().terms().maxBytes());
        int most = Math.min(receives.get(received).capacity(), length(new Step.Post(number, Kind.SEND,
                3 * runner.script().terms().mtu().bytes(), 0, 0)));
        return post(new Step.Post(number, Kind.SEND, most, 0, Step.SIGNALED | Step.IMMEDIATE));
    }

    @Override
    boolean hasOutstanding() {
        return posted.subList(nextIncomplete, posted.size()).stream().anyMatch(this::hasCompletion);
    }

    @Override
    void checkFinalState() {
        unless(!hasOutstanding(), "%s: of %d requests only %d have completed", this, posted.size(), nextIncomplete);
        boolean ordinary = receives.stream()
                .allMatch(receive -> receive.capacity() >= runner.script().terms().maxBytes());
        Set<Operation> mustArrive = !posted.isEmpty() && runner.history().isComplete()
                ? intact(runner.history().arrivals(receiver))
                : new HashSet<>();
        for (Operation operation : posted) {
            if (operation.kind.consumesReceive() && operation.receivePosted && ordinary && !runner.isFaulty()
                    && !mustNotArrive(operation)) {
                mustArrive.add(operation);
            }
        }
        for (Operation operation : posted) {
            unless(!operation.kind.consumesReceive() || !mustArrive.contains(operation)
                    || isDelivered(operation, mustArrive),
                    "%s: %s arrived without a fault but was not delivered", this, operation);
            if (operation.kind != Kind.SEND) {
                checkWritten(operation, mustArrive.contains(operation));
            }
        }
    }

    /** Whether a message was delivered. Messages with the same content and no immediate data are indistinguishable. */
    private boolean isDelivered(Operation operation, Set<Operation> mustArrive) {
        if (operation.deliveries != 0) {
            return true;
        }
        List<Operation> alike = consuming.stream().filter(other -> other.kind == Kind.SEND
                && operation.kind == Kind.SEND && !operation.hasImmediate() && !other.hasImmediate()
                && bytes(other).equals(bytes(operation))).toList();
        return alike.stream().mapToInt(other -> other.deliveries).sum() >= alike.stream().filter(mustArrive::contains)
                .count() && !alike.isEmpty();
    }

    private static ByteBuffer bytes(Operation operation) {
        return ByteBuffer.wrap(operation.content);
    }

    /**
     * Returns the messages whose packets arrived undamaged and in sequence, with a large enough receive request posted
     * if they need one.
     */
    private Set<Operation> intact(List<SimulatedPacket> arrivals) {
        Map<Integer, Operation> byFirst = new HashMap<>();
        Map<Integer, Operation> byLast = new HashMap<>();
        for (Operation operation : posted) {
            if (!mustNotArrive(operation)) {
                byFirst.put(operation.firstPsn, operation);
                byLast.put(operation.firstPsn + operation.packets - 1 & Operation.PSN_MASK, operation);
            }
        }
        Set<Operation> intact = new HashSet<>();
        int consumed = 0;
        for (int i = 0; i < arrivals.size(); i++) {
            Operation begun = byFirst.get(arrivals.get(i).psn());
            if (begun != null && arrivesIntact(begun, arrivals, i) && (!begun.kind.consumesReceive()
                    || hasRoom(begun, consumed, arrivals.get(i)))) {
                intact.add(begun);
            }
            Operation ended = byLast.get(arrivals.get(i).psn());
            if (ended != null && ended.kind.consumesReceive()) {
                consumed++;
            }
        }
        return intact;
    }

    private static boolean arrivesIntact(Operation operation, List<SimulatedPacket> arrivals, int first) {
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

    /** Whether the receive request after the given number of consumed ones was posted in time and is large enough. */
    private boolean hasRoom(Operation operation, int consumed, SimulatedPacket packet) {
        return consumed < receives.size() && receives.get(consumed).isBefore(packet) && receives
                .subList(0, consumed + 1).stream().allMatch(receive -> receive.capacity() >= operation.length());
    }

    private void checkWritten(Operation write, boolean all) {
        for (int i = 0; i < write.length(); i++) {
            byte found = to.at(write.remote + i);
            boolean nothing = found == 0 && !all
                    && (runner.isFaulty() || mustNotArrive(write) || write.kind == Kind.WRITE_IMM);
            unless(nothing || found == write.content[i] && !mustNotArrive(write),
                    "%s: byte %d of the target of %s is %d, expected %d", this, i, write, found, write.content[i]);
        }
        to.accept(write.remote, write.length());
    }
}
