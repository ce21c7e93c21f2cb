package io.jverbs.soft.traffic;

import static io.jverbs.soft.traffic.Violation.unless;

import io.jverbs.AddressHandle;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcFlags;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.soft.traffic.Step.Kind;

/**
 * A direction of an unreliable connection, or of datagrams: requests complete at once; what arrives was sent here, and is whole. On
 * a link without faults all arrives for which there is a receive request, once and in order.
 */
final class LossyFlow extends Flow {
    private static final int GRH = 40;
    private static final int WRONG_QKEY = 0x666;

    private final boolean datagrams;
    private final AddressHandle way;
    private int settled;
    private int latest = -1;

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
        return datagrams ? step.length() % World.MOST_DATAGRAM : step.length();
    }

    /** A place of its own: a packet that comes late, or twice, disturbs nothing. */
    @Override
    int remote(Step.Post step, int length) {
        return step.kind() == Kind.SEND ? 0 : to.allocate(length);
    }

    @Override
    void address(SendWorkRequest datagram, Operation operation) {
        if (datagrams) {
            datagram.destination(way, receiver.number(), operation.is(Step.WRONG_KEY) ? WRONG_QKEY : World.QKEY);
        }
    }

    /** Whether nothing of it may be taken for good. */
    private boolean isForeign(Operation operation) {
        return operation.is(Step.WRONG_KEY) && (datagrams || operation.kind != Kind.SEND && operation.length() != 0);
    }

    @Override
    void sent(Operation operation, WcStatus status) {
        unless(status == WcStatus.SUCCESS, "%s: %s completed with %s", this, operation, status);
        unless(operation.is(Step.SIGNALED) && operation.index >= settled, "%s: %s completed unasked or twice", this,
                operation);
        for (; settled < operation.index; settled++) {
            unless(!posted.get(settled).is(Step.SIGNALED), "%s: %s has no completion", this, posted.get(settled));
        }
        settled++;
        operation.status = status;
    }

    @Override
    void arrived(Posted into, WcStatus status, WorkCompletions completions, int which) {
        if (status == WcStatus.WR_FLUSH_ERR) {
            unless(world.isConcluding(), "%s: receive request %d was flushed", this, received - 1);
            acceptUnfilled(into);
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
        // a message of which packets were lost may have been there before
        acceptUnfilled(into);
        checkMessage(operation, into, completions, which);
        if (operation.kind == Kind.WRITE_IMM) {
            unless(to.holds(operation.remote, operation.content), "%s: %s arrived before all of its data", this,
                    operation);
        }
        unless(operation.deliveries == 1 || world.mayDuplicate(), "%s: %s arrived twice", this, operation);
        unless(operation.index > latest || world.isFaulty(), "%s: %s arrived out of order", this, operation);
        latest = operation.index;
    }

    /** A message without immediate data is known by its bytes. */
    private Operation likely(Posted into, long length) {
        Operation best = null;
        for (Operation operation : consuming) {
            if (operation.length() == length && operation.kind == Kind.SEND && !operation.is(Step.IMMEDIATE)
                    && !isForeign(operation) && to.holds(into.at() + headroom(), operation.content)
                    && (best == null || best.deliveries > operation.deliveries)) {
                best = operation;
            }
        }
        unless(best != null, "%s: %d bytes arrived that nobody sent so", this, length);
        return best;
    }

    @Override
    boolean isOwed() {
        return posted.subList(settled, posted.size()).stream().anyMatch(operation -> operation.is(Step.SIGNALED));
    }

    @Override
    void conclude() {
        unless(!isOwed(), "%s: of %d requests only %d completed", this, posted.size(), settled);
        boolean ordinary = receives.stream().allMatch(receive -> receive.capacity() >= World.MOST_BYTES)
                && posted.stream().noneMatch(this::isForeign);
        for (Operation operation : posted) {
            if (operation.kind.consumesReceive() && operation.receiveWasThere && ordinary && !world.isFaulty()) {
                unless(operation.deliveries == 1, "%s: %s arrived %d times", this, operation, operation.deliveries);
            }
            if (operation.kind != Kind.SEND) {
                checkWritten(operation);
            }
        }
    }

    private void checkWritten(Operation write) {
        for (int i = 0; i < write.length(); i++) {
            byte found = to.at(write.remote + i);
            boolean nothing = found == 0 && (world.isFaulty() || isForeign(write) || write.kind == Kind.WRITE_IMM);
            unless(nothing || found == write.content[i] && !isForeign(write),
                    "%s: byte %d of what %s writes is %d, not %d", this, i, write, found, write.content[i]);
        }
        to.accept(write.remote, write.length());
    }
}
