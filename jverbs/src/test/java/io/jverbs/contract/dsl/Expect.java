package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.end.Wc;
import java.util.Arrays;

/** Assertions about a completion. */
public final class Expect {

    private final Wc wc;

    private Expect(Wc wc) {
        this.wc = wc;
    }

    public static Expect expect(Wc wc) {
        return new Expect(wc);
    }

    public Expect success() {
        return status(WcStatus.SUCCESS);
    }

    /**
     * Asserts that the status is one of these. The software device returns the first one; the others are allowed as
     * well.
     */
    public Expect status(WcStatus... accepted) {
        assertTrue(Arrays.asList(accepted).contains(wc.status()),
                () -> "status should be " + Arrays.toString(accepted) + ", but the completion is " + wc);
        return this;
    }

    public Expect flushed() {
        return status(WcStatus.WR_FLUSH_ERR);
    }

    /** Asserts that the status is any error. */
    public Expect error() {
        assertTrue(!wc.success(), () -> "should be an error: " + wc);
        return this;
    }

    public Expect id(long wrId) {
        assertEquals(wrId, wc.wrId(), () -> "wrId of " + wc);
        return this;
    }

    public Expect qp(Qp qp) {
        assertEquals(qp.number(), wc.qpNumber(), () -> "queue pair number of " + wc);
        return this;
    }

    public Expect from(Qp qp) {
        assertEquals(qp.number(), wc.sourceQp(), () -> "source queue pair of " + wc);
        return this;
    }

    public Expect opcode(WcOpcode opcode) {
        assertEquals(opcode, wc.opcode(), () -> "opcode of " + wc);
        return this;
    }

    public Expect bytes(long count) {
        assertEquals(count, wc.byteLength(), () -> "byte length of " + wc);
        return this;
    }

    public Expect immediate(int value) {
        assertTrue(wc.has(WcFlags.WITH_IMM), () -> "should carry immediate data: " + wc);
        assertEquals(value, wc.immediate(), () -> "immediate data of " + wc);
        return this;
    }

    public Expect invalidated(int rkey) {
        assertTrue(wc.has(WcFlags.WITH_INV), () -> "should carry an invalidated key: " + wc);
        assertEquals(rkey, wc.invalidatedRkey(), () -> "invalidated key of " + wc);
        return this;
    }

    /** Asserts that the completion has neither immediate data nor an invalidated key. */
    public Expect plain() {
        assertEquals(0, wc.flags() & (WcFlags.WITH_IMM | WcFlags.WITH_INV), () -> "flags of " + wc);
        return this;
    }

    public Wc wc() {
        return wc;
    }
}
