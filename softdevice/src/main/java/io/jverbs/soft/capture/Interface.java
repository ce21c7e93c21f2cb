package io.jverbs.soft.capture;

import java.nio.ByteBuffer;

/**
 * The interface of a capture file that stands for one captured device: its name, the duration of the capture and the
 * packet counts. The file keeps it after the capture of the device has ended. Guarded by the file's lock.
 */
final class Interface {
    private final String name;
    private final int number;
    private final long started;
    private long ended;
    private long packets;
    private long dropped;

    /**
     * @param name the device's name
     * @param number the index of the interface in the file, from 0
     * @param started when the capture of the device started, in nanoseconds since 1970
     */
    Interface(String name, int number, long started) {
        this.name = name;
        this.number = number;
        this.started = started;
        this.ended = started;
    }

    String name() {
        return name;
    }

    int number() {
        return number;
    }

    /** Counts a packet that was captured, or was dropped because there was no room. */
    void count(boolean captured) {
        if (captured) {
            packets++;
        } else {
            dropped++;
        }
    }

    long packets() {
        return packets;
    }

    long dropped() {
        return dropped;
    }

    void end(long time) {
        ended = time;
    }

    /** Returns the interface description block, which precedes the packets. */
    ByteBuffer description(int snap) {
        ByteBuffer block = PcapNg.buffer();
        PcapNg.device(block, name, snap);
        return block.flip();
    }

    /** Returns the interface statistics block, which follows the packets. */
    ByteBuffer statistics() {
        ByteBuffer block = PcapNg.buffer();
        PcapNg.statistics(block, number, started, ended, packets, dropped);
        return block.flip();
    }
}
