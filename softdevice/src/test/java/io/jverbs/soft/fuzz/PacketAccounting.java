package io.jverbs.soft.fuzz;

import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.protocol.Counter;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Accounts for received packets: each packet is either accepted, or dropped or refused for exactly one reason. */
public final class PacketAccounting {
    /** Counters that do not state the outcome of a received packet. */
    private static final Set<Counter> OTHERS = EnumSet.of(Counter.RECEIVED_RNR, Counter.ACK_TIMEOUT,
            Counter.RECEIVED_SEQUENCE_NAK, Counter.RECEIVED_NAK_INVALID, Counter.RECEIVED_NAK_ACCESS,
            Counter.RECEIVED_NAK_OPERATION, Counter.SENT_NAK_SEQUENCE, Counter.SENT_NAK_ACCESS, Counter.SEND_ERROR,
            Counter.LINK_DOWNED, Counter.SEND_BUFFER_FULL, Counter.RETRANSMISSION, Counter.RETRY_EXCEEDED,
            Counter.RNR_RETRY_EXCEEDED, Counter.CREDIT_WAIT, Counter.SENT_CREDITS, Counter.INVALID_MSN,
            Counter.ADAPTIVE_RETRANSMISSION, Counter.ECN_MARKED, Counter.SENT_CNP);
    /** Counters of which exactly one counts each packet that is not accepted. */
    private static final Counter[] OUTCOMES = EnumSet.complementOf(EnumSet.copyOf(OTHERS)).toArray(Counter[]::new);

    private final SoftPort port;
    private long before;

    PacketAccounting(SoftPort port) {
        this.port = port;
    }

    /** Returns the number of packets whose outcome was counted. */
    long total() {
        long sum = 0;
        for (Counter outcome : OUTCOMES) {
            sum += port.counted(outcome);
        }
        return sum + received();
    }

    /** Returns the number of accepted packets. */
    long received() {
        return port.traffic().receivedPackets();
    }

    /** Begins the account of one packet. */
    void open() {
        before = total();
    }

    /** Fails unless exactly one outcome was counted since {@link #open}. */
    void expectOne() {
        long counted = total() - before;
        if (counted != 1) {
            throw new AssertionError("one packet was counted " + counted + " times: " + port.counters());
        }
    }

    /** Returns the values of all counters. */
    @Override
    public String toString() {
        return port.counters().toString();
    }

    long counted(Counter counter) {
        return port.counted(counter);
    }

    /**
     * {@return the number of packets whose outcome was counted}
     *
     * @param counters the counters of a device by name
     */
    public static long outcomes(Map<String, Long> counters) {
        long sum = counters.get("rcvd_pkts");
        for (Counter outcome : OUTCOMES) {
            sum += counters.get(outcome.label());
        }
        return sum;
    }

    static Counter[] outcomes() {
        return OUTCOMES.clone();
    }
}
