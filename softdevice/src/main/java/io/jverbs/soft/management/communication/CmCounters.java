package io.jverbs.soft.management.communication;

import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.MadRefusal;
import io.jverbs.soft.management.message.ManagementDatagram;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the messages of the connection manager of one device, as the counters in {@code cm_tx_msgs}, {@code
 * cm_tx_retries}, {@code cm_rx_msgs} and {@code cm_rx_duplicates} of Linux. A datagram that arrives is malformed for
 * one {@link MadRefusal}, or a message; a message is dropped for one {@link CmDropReason}, or has an effect.
 * Thread-safe.
 */
public final class CmCounters {
    private final Map<CmAttribute, LongAdder> sent = zeros();
    private final Map<CmAttribute, LongAdder> retried = zeros();
    private final Map<CmAttribute, LongAdder> received = zeros();
    private final Map<CmDropReason, Map<CmAttribute, LongAdder>> dropped = new EnumMap<>(CmDropReason.class);
    private final Map<MadRefusal, LongAdder> malformed = new EnumMap<>(MadRefusal.class);

    /** Creates counters whose values are 0. */
    public CmCounters() {
        for (CmDropReason reason : CmDropReason.values()) {
            dropped.put(reason, zeros());
        }
        for (MadRefusal refusal : MadRefusal.values()) {
            malformed.put(refusal, new LongAdder());
        }
    }

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

    /** Counts a message that has arrived. */
    public void received(CmMessage message) {
        received.get(message.attribute()).increment();
    }

    /** Counts a datagram that has arrived and is no message. */
    public void refuse(MadRefusal refusal) {
        malformed.get(refusal).increment();
    }

    /** Counts a message that has arrived and has no effect. */
    public void drop(CmDropReason reason, CmAttribute attribute) {
        dropped.get(reason).get(attribute).increment();
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

    public long dropped(CmDropReason reason, CmAttribute attribute) {
        return dropped.get(reason).get(attribute).sum();
    }

    public long malformed(MadRefusal refusal) {
        return malformed.get(refusal).sum();
    }

    /**
     * Returns the sums over all kinds of messages by name, and Linux's counters for each kind, as cm_tx_msgs/req.
     * Malformed datagrams, and requests and replies that were refused, are counted by reason, and {@code
     * cm_rx_malformed} and {@code cm_rx_refused} are the sums.
     */
    public Map<String, Long> byName() {
        Map<String, Long> all = new LinkedHashMap<>();
        put(all, "cm_tx_msgs", sent);
        put(all, "cm_tx_retries", retried);
        put(all, "cm_rx_msgs", received);
        put(all, CmDropReason.DUPLICATE.label(), dropped.get(CmDropReason.DUPLICATE));
        all.put("cm_rx_malformed", sum(malformed));
        malformed.forEach((refusal, count) -> all.put(refusal.label(), count.sum()));
        all.put("cm_rx_refused", dropped.entrySet().stream().filter(entry -> entry.getKey().isRefusal())
                .mapToLong(entry -> sum(entry.getValue())).sum());
        dropped.forEach((reason, counts) -> all.put(reason.label(), sum(counts)));
        return all;
    }

    private static void put(Map<String, Long> all, String name, Map<CmAttribute, LongAdder> counts) {
        all.put(name, sum(counts));
        counts.forEach((attribute, count) -> all.put(name + "/" + attribute.label(), count.sum()));
    }

    private static long sum(Map<?, LongAdder> counts) {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }
}
