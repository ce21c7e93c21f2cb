package io.jverbs.soft.fuzz;

import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.transport.Counter;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Keeps account of packets: each one was taken, or dropped or refused for one reason. */
public final class Ledger {
    /** What does not say what became of a packet. */
    private static final Set<Counter> OTHERS = EnumSet.of(Counter.RECEIVED_RNR, Counter.ACK_TIMEOUT,
            Counter.RECEIVED_SEQUENCE_NAK, Counter.RECEIVED_NAK_INVALID, Counter.RECEIVED_NAK_ACCESS,
            Counter.RECEIVED_NAK_OPERATION, Counter.SENT_NAK_SEQUENCE, Counter.SENT_NAK_ACCESS, Counter.SEND_ERROR,
            Counter.LINK_DOWNED, Counter.SEND_BUFFER_FULL, Counter.RETRANSMISSION, Counter.RETRY_EXCEEDED,
            Counter.RNR_RETRY_EXCEEDED);
    private static final Counter[] FATES = EnumSet.complementOf(EnumSet.copyOf(OTHERS)).toArray(Counter[]::new);

    private final SoftPort port;
    private long before;

    Ledger(SoftPort port) {
        this.port = port;
    }

    long total() {
        long sum = 0;
        for (Counter fate : FATES) {
            sum += port.counted(fate);
        }
        return sum + received();
    }

    /** How many packets were taken. */
    long received() {
        return port.traffic().receivedPackets();
    }

    void open() {
        before = total();
    }

    /** Fails unless one packet has met its fate. */
    void expectOne() {
        long met = total() - before;
        if (met != 1) {
            throw new AssertionError("a packet was counted " + met + " times: " + port.counters());
        }
    }

    /** How often each was counted. */
    @Override
    public String toString() {
        return port.counters().toString();
    }

    long counted(Counter counter) {
        return port.counted(counter);
    }

    /**
     * {@return how many packets have met their fate}
     *
     * @param counters what a device counts, by name
     */
    public static long fates(Map<String, Long> counters) {
        long sum = counters.get("rcvd_pkts");
        for (Counter fate : FATES) {
            sum += counters.get(fate.label());
        }
        return sum;
    }

    static Counter[] fates() {
        return FATES.clone();
    }
}
