package io.jverbs.soft.capture;

import java.nio.ByteBuffer;

/**
 * What a file knows of a device that is captured into it, also when nobody looks any more and the device is gone. Guarded by the
 * file's lock.
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
     * @param number how many the file had before it
     * @param started when its capture began
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

    /** A packet is in the file, or is not as there was no room. */
    void count(boolean taken) {
        if (taken) {
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

    /** The block that comes before the first packet. */
    ByteBuffer description(int snap) {
        ByteBuffer block = PcapNg.buffer();
        PcapNg.device(block, name, snap);
        return block.flip();
    }

    /** The block that comes after the last packet. */
    ByteBuffer statistics() {
        ByteBuffer block = PcapNg.buffer();
        PcapNg.statistics(block, number, started, ended, packets, dropped);
        return block.flip();
    }
}
