package io.jverbs.soft.transport;

import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Tap;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A port of which a test sets the properties, and which keeps what is counted. */
public final class RecordingPort implements Port {
    /** The only P_Key of the table, that of a full member of the default partition. */
    public static final int PKEY = 0xFFFF;

    private final Map<Counter, Integer> counted = new EnumMap<>(Counter.class);
    private boolean up = true;
    private boolean sends = true;
    private int mtu = 4096;
    private Tap tap;

    /** Sets whether the link is up. */
    public void up(boolean now) {
        up = now;
    }

    /** Sets whether the GID table contains the source GIDs of packets. */
    public void sends(boolean now) {
        sends = now;
    }

    /** Sets the active MTU. */
    public void mtu(int bytes) {
        mtu = bytes;
    }

    /** Sets the tap that receives the packets, null for none. */
    public void tap(Tap receiver) {
        tap = receiver;
    }

    /**
     * {@return what was counted at this port, as names in the order of {@link Counter}, with the number if it is not 1}
     */
    public String counted() {
        return text(counted);
    }

    /** Returns counters that are not 0 as text. */
    static String text(Map<Counter, Integer> counters) {
        return counters.entrySet().stream()
                .map(each -> each.getKey() + (each.getValue() == 1 ? "" : "*" + each.getValue()))
                .collect(Collectors.joining(" "));
    }

    @Override
    public String device() {
        return "soft0";
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public boolean admits(int qpn) {
        return up;
    }

    @Override
    public boolean sends(long gidHigh, long gidLow) {
        return up && sends;
    }

    @Override
    public int pkey(int index) {
        return index == 0 ? PKEY : 0;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public Tap tap() {
        return tap;
    }

    @Override
    public void count(Counter counter) {
        counted.merge(counter, 1, Integer::sum);
    }
}
