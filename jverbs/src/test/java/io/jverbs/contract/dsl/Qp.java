package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.Infos.QpInfo;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wait;
import io.jverbs.contract.end.Wc;
import java.util.List;

/** A queue pair of an end, with its completion queues and the options for its connection. */
public final class Qp {

    private final Side side;
    private final QpInfo info;
    private final Cq sendCq;
    private final Cq recvCq;
    private final QpOptions options;

    Qp(Side side, QpInfo info, Cq sendCq, Cq recvCq, QpOptions options) {
        this.side = side;
        this.info = info;
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.options = options;
    }

    public Side side() {
        return side;
    }

    private End end() {
        return side.end();
    }

    public int id() {
        return info.id();
    }

    public int number() {
        return info.number();
    }

    public QpType type() {
        return info.type();
    }

    /** Returns what the end returned at creation. */
    public QpInfo info() {
        return info;
    }

    public Cq sendCq() {
        return sendCq;
    }

    public Cq recvCq() {
        return recvCq;
    }

    public QpOptions options() {
        return options;
    }

    /** Returns the first PSN that this queue pair sends. */
    public int psn() {
        return options.psn();
    }

    public QpState state() {
        return end().qpState(id());
    }

    public QpAttr query() {
        return end().queryQp(id());
    }

    public void modify(QpAttr attributes) {
        end().modifyQp(id(), attributes);
    }

    /** Modifies only the state. */
    public void modify(QpState state) {
        modify(QpAttr.to(state));
    }

    /** Moves the queue pair from RESET to INIT with the options. */
    public Qp toInit() {
        modify(options.initAttributes(type()));
        return this;
    }

    /** Moves the queue pair from INIT to RTR with the options. UD ignores the peer. */
    public Qp toRtr(Qp peer) {
        modify(options.rtrAttributes(type(), side, peer));
        return this;
    }

    /** Moves the queue pair from RTR to RTS with the options. */
    public Qp toRts() {
        modify(options.rtsAttributes(type()));
        return this;
    }

    /** Moves the queue pair from RESET to the final state of the options. */
    public Qp connect(Qp peer) {
        if (options.upTo().compareTo(QpState.INIT) >= 0) {
            toInit();
        }
        if (options.upTo().compareTo(QpState.RTR) >= 0) {
            toRtr(peer);
        }
        if (options.upTo().compareTo(QpState.RTS) >= 0) {
            toRts();
        }
        return this;
    }

    /** Waits for a state. */
    public void awaitState(QpState wanted) {
        assertEquals(wanted, end().awaitQpState(id(), wanted, Waits.deadline()), () -> "state of " + this);
    }

    /** Waits in SQD until all started requests have completed. */
    public void awaitDrained() {
        Wait wait = new Wait(Waits.deadline());
        while (query().draining()) {
            assertTrue(wait.goesOn(), () -> this + " is still draining");
            Thread.yield();
        }
    }

    /** Asserts that the queue pair is in a state and stays in it for the quiet time. */
    public void assertStays(QpState wanted) {
        assertEquals(wanted, state(), () -> "state of " + this);
        QpState other = wanted == QpState.ERR ? QpState.RESET : QpState.ERR;
        assertEquals(wanted, end().awaitQpState(id(), other, side.quietMillis()), () -> "state of " + this);
    }

    /** Posts one chain of sends. Fails if the end refuses it. */
    public void post(SendSpec... chain) {
        PostResult result = tryPost(chain);
        assertEquals(0, result.errno(), () -> "posting " + List.of(chain) + " to " + this + ": " + result);
    }

    public PostResult tryPost(SendSpec... chain) {
        return end().tryPostSend(id(), List.of(chain));
    }

    /** Posts one chain of receives. Fails if the end refuses it. */
    public void postRecv(RecvSpec... chain) {
        PostResult result = tryPostRecv(chain);
        assertEquals(0, result.errno(), () -> "posting " + List.of(chain) + " to " + this + ": " + result);
    }

    public PostResult tryPostRecv(RecvSpec... chain) {
        return end().tryPostReceive(id(), List.of(chain));
    }

    /** Posts the request signaled, and waits for its completion. */
    public Wc execute(SendSpec request) {
        post(request.signaled());
        return awaitSend();
    }

    /** Posts the request signaled, and waits for its successful completion. */
    public Wc succeed(SendSpec request) {
        Wc wc = execute(request);
        Expect.expect(wc).success();
        return wc;
    }

    public Wc awaitSend() {
        return sendCq.await();
    }

    public Wc awaitRecv() {
        return recvCq.await();
    }

    /** Returns a path from another end to the end of this queue pair. */
    public AhAttributes pathFrom(Side from) {
        return from.pathTo(side);
    }

    public void destroy() {
        end().destroy(id());
    }

    @Override
    public String toString() {
        return info.type() + " queue pair 0x" + Integer.toHexString(info.number()) + " (" + id() + ") of " + side;
    }
}
