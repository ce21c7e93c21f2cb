package io.jverbs.soft.management.communication;

import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.ManagementDatagram;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the messages of the connection manager of one device, as the counters in {@code cm_tx_msgs}, {@code
 * cm_tx_retries} and {@code cm_rx_msgs} of Linux. Thread-safe.
 */
public final class CmCounters {
    private final Map<CmAttribute, LongAdder> sent = zeros();
    private final Map<CmAttribute, LongAdder> retried = zeros();
    private final Map<CmAttribute, LongAdder> received = zeros();
    private final LongAdder ignored = new LongAdder();
    private final LongAdder malformed = new LongAdder();

    private static Map<CmAttribute, LongAdder> zeros() {
        Map<CmAttribute, LongAdder> all = new EnumMap<>(CmAttribute.class);
        for (CmAttribute each : CmAttribute.values()) {
            all.put(each, new LongAdder());
        }
        return all;
    }

    /** Counts a datagram that is sent, also if it is sent again. */
    public void sent(ManagementDatagram mad) {
        sent.get(mad.attribute()).increment();
    }

    /** Counts a datagram that is sent again because no response has arrived. */
    public void retried(ManagementDatagram mad) {
        retried.get(mad.attribute()).increment();
    }

    /** Counts a message that has arrived, null for a datagram that is none. */
    public void received(CmMessage message) {
        if (message == null) {
            malformed.increment();
        } else {
            received.get(message.attribute()).increment();
        }
    }

    /** Counts a message that has arrived and has no effect in the state of its connection. */
    public void ignored() {
        ignored.increment();
    }

    public long sent(CmAttribute attribute) {
        return sent.get(attribute).sum();
    }

    public long retried(CmAttribute attribute) {
        return retried.get(attribute).sum();
    }

    public long received(CmAttribute attribute) {
        return received.get(attribute).sum();
    }

    public long ignoredCount() {
        return ignored.sum();
    }

    public long malformedCount() {
        return malformed.sum();
    }
}
