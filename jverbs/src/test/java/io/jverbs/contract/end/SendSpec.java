package io.jverbs.contract.end;

import io.jverbs.SendFlags;
import io.jverbs.WrOpcode;
import java.io.Serializable;
import java.util.List;

/**
 * A send work request by value. Factory methods create it; the other methods return a changed copy.
 *
 * @param wrId returned in the completion
 * @param opcode raw opcode number
 * @param flags {@link SendFlags} bits
 * @param immediate immediate data in host byte order
 * @param invalidate the rkey of SEND_WITH_INV and LOCAL_INV
 * @param sges the gather list; for READ and atomics, the scatter list
 * @param remote remote address and key, with the operands of an atomic; null for none
 * @param datagram destination of a datagram; null for none
 * @param bind the type 2 window to bind; null for none
 */
public record SendSpec(long wrId, int opcode, int flags, int immediate, int invalidate, List<Sge> sges, Remote remote,
        Datagram datagram, Bind bind) implements Serializable {

    /** The remote side of WRITE, READ and atomics. */
    public record Remote(long address, int rkey, long compareAdd, long swap) implements Serializable {}

    /** The destination of a datagram; {@code ah} may be {@link End#NONE}. */
    public record Datagram(int ah, int qpn, int qkey) implements Serializable {}

    /** The operands of BIND_MW. */
    public record Bind(int mw, int rkey, BindSpec to) implements Serializable {}

    public SendSpec {
        sges = List.copyOf(sges);
    }

    /** Returns a request with any opcode, including one that does not exist. */
    public static SendSpec raw(int opcode, Sge... sges) {
        return new SendSpec(0, opcode, 0, 0, 0, List.of(sges), null, null, null);
    }

    public static SendSpec of(WrOpcode opcode, Sge... sges) {
        return raw(opcode.code(), sges);
    }

    public static SendSpec send(Sge... sges) {
        return of(WrOpcode.SEND, sges);
    }

    public static SendSpec sendImm(int immediate, Sge... sges) {
        return of(WrOpcode.SEND_WITH_IMM, sges).immediate(immediate);
    }

    public static SendSpec sendInv(int rkey, Sge... sges) {
        return of(WrOpcode.SEND_WITH_INV, sges).invalidate(rkey);
    }

    public static SendSpec write(long address, int rkey, Sge... sges) {
        return of(WrOpcode.RDMA_WRITE, sges).remote(address, rkey);
    }

    public static SendSpec writeImm(int immediate, long address, int rkey, Sge... sges) {
        return of(WrOpcode.RDMA_WRITE_WITH_IMM, sges).remote(address, rkey).immediate(immediate);
    }

    public static SendSpec read(long address, int rkey, Sge... sges) {
        return of(WrOpcode.RDMA_READ, sges).remote(address, rkey);
    }

    public static SendSpec compareAndSwap(long address, int rkey, long compare, long swap, Sge... sges) {
        return of(WrOpcode.ATOMIC_CMP_AND_SWP, sges).atomic(address, rkey, compare, swap);
    }

    public static SendSpec fetchAndAdd(long address, int rkey, long add, Sge... sges) {
        return of(WrOpcode.ATOMIC_FETCH_AND_ADD, sges).atomic(address, rkey, add, 0);
    }

    public static SendSpec localInvalidate(int rkey) {
        return of(WrOpcode.LOCAL_INV).invalidate(rkey);
    }

    /** Returns a bind of a type 2 window; {@code rkey} is the new key. */
    public static SendSpec bindWindow(int mw, int rkey, BindSpec to) {
        return of(WrOpcode.BIND_MW).bind(mw, rkey, to);
    }

    public SendSpec id(long id) {
        return new SendSpec(id, opcode, flags, immediate, invalidate, sges, remote, datagram, bind);
    }

    public SendSpec opcode(int raw) {
        return new SendSpec(wrId, raw, flags, immediate, invalidate, sges, remote, datagram, bind);
    }

    /** Replaces all flags. */
    public SendSpec flags(int all) {
        return new SendSpec(wrId, opcode, all, immediate, invalidate, sges, remote, datagram, bind);
    }

    public SendSpec signaled() {
        return flags(flags | SendFlags.SIGNALED);
    }

    public SendSpec fenced() {
        return flags(flags | SendFlags.FENCE);
    }

    public SendSpec solicited() {
        return flags(flags | SendFlags.SOLICITED);
    }

    public SendSpec inline() {
        return flags(flags | SendFlags.INLINE);
    }

    public SendSpec immediate(int value) {
        return new SendSpec(wrId, opcode, flags, value, invalidate, sges, remote, datagram, bind);
    }

    public SendSpec invalidate(int rkey) {
        return new SendSpec(wrId, opcode, flags, immediate, rkey, sges, remote, datagram, bind);
    }

    public SendSpec sges(Sge... list) {
        return new SendSpec(wrId, opcode, flags, immediate, invalidate, List.of(list), remote, datagram, bind);
    }

    /** Removes the elements: the message has 0 bytes. */
    public SendSpec empty() {
        return sges(new Sge[0]);
    }

    public SendSpec remote(long address, int rkey) {
        return atomic(address, rkey, 0, 0);
    }

    public SendSpec atomic(long address, int rkey, long compareAdd, long swap) {
        return new SendSpec(wrId, opcode, flags, immediate, invalidate, sges,
                new Remote(address, rkey, compareAdd, swap), datagram, bind);
    }

    public SendSpec to(int ah, int qpn, int qkey) {
        return new SendSpec(wrId, opcode, flags, immediate, invalidate, sges, remote, new Datagram(ah, qpn, qkey),
                bind);
    }

    public SendSpec bind(int mw, int rkey, BindSpec to) {
        return new SendSpec(wrId, opcode, flags, immediate, invalidate, sges, remote, datagram,
                new Bind(mw, rkey, to));
    }
}
