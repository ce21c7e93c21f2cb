package io.jverbs.soft.capture;

import io.jverbs.soft.queue.SpinLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file and what is to be written there. Packets are put into memory by who sends or receives them, under one lock that is held for
 * a copy, and are written by a thread that this has, as an interrupted thread would close the file.
 */
final class CaptureFile {
    private static final Logger LOG = LoggerFactory.getLogger(CaptureFile.class);
    private static final long LOOK_NANOS = 10_000_000;
    private static final long NANOS = 1_000_000_000L;

    private final CaptureSpec spec;
    private final WritableByteChannel channel;
    /** What the system's clock lacked to the time since 1970 when the file was begun; one for all devices. */
    private final long epoch;
    /** Guards the frame, the log and that it is this one, and the counts of taps. */
    private final SpinLock lock = new SpinLock();
    private final Frame frame = new Frame();
    private PacketLog log;
    private final List<DeviceTap> interfaces = new CopyOnWriteArrayList<>();
    private final Thread writer;
    private final Thread atExit = Thread.ofPlatform().name("jverbs-capture-exit").unstarted(this::close);
    /** Guards what follows, and is not held while the file is written. */
    private final ReentrantLock turns = new ReentrantLock();
    private final Condition turned = turns.newCondition();
    private long wanted;
    private long written;
    private boolean closing;
    private volatile boolean ended;
    // of the writing thread
    private PacketLog spare;
    private int interfacesWritten;

    /**
     * Begins the file.
     *
     * @throws IOException if it cannot be written
     */
    CaptureFile(CaptureSpec spec, WritableByteChannel channel) throws IOException {
        this.spec = spec;
        this.channel = channel;
        Instant now = Instant.now();
        this.epoch = now.getEpochSecond() * NANOS + now.getNano() - System.nanoTime();
        this.log = new PacketLog(spec.buffer(), spec.ring());
        this.spare = spec.isRing() ? new PacketLog(spec.buffer(), spec.ring()) : null;
        ByteBuffer header = PcapNg.buffer();
        PcapNg.section(header);
        write(header);
        writer = Thread.ofPlatform().daemon().name("jverbs-capture").unstarted(this::run);
    }

    /** Starts to write; at the end of the JVM, what is captured by then is written. */
    void start() {
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM ends: it may not wait for {}", spec.file(), e);
        }
        writer.start();
        LOG.info("Capturing packets to {}", spec.file());
    }

    CaptureSpec spec() {
        return spec;
    }

    long epoch() {
        return epoch;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Adds a device before any packet of it; returns its number. */
    int add(DeviceTap tap) {
        synchronized (interfaces) {
            interfaces.add(tap);
            return interfaces.size() - 1;
        }
    }

    SpinLock lock() {
        return lock;
    }

    /** Where the packet at hand is made; with the lock. */
    Frame frame() {
        return frame;
    }

    /** Takes the packet that the frame has; false if there is no room. With the lock. */
    boolean take(int device, long nanos, boolean leaving, int captured, int length) {
        int kept = Math.min(captured, spec.snap());
        int block = PcapNg.packetLength(kept);
        ByteBuffer room = log.room(block);
        if (room == null) {
            return false;
        }
        PcapNg.packet(room, device, nanos, leaving, frame.bytes(), kept, length);
        boolean before = log.isHalfFull();
        log.added(block);
        if (!spec.isRing() && !before && log.isHalfFull()) {
            LockSupport.unpark(writer);
        }
        return true;
    }

    /** Has what is kept written. */
    void failed() {
        if (spec.isRing()) {
            turns.lock();
            wanted++;
            turns.unlock();
            LockSupport.unpark(writer);
        }
    }

    /** Waits until what has been captured is written. */
    void flush() {
        turns.lock();
        try {
            long mine = ++wanted;
            LockSupport.unpark(writer);
            while (written < mine && !ended) {
                turned.awaitUninterruptibly();
            }
        } finally {
            turns.unlock();
        }
    }

    /** Ends the file, once; returns when that is done. */
    void close() {
        interfaces.forEach(DeviceTap::detach);
        turns.lock();
        try {
            closing = true;
            LockSupport.unpark(writer);
            while (!ended) {
                turned.awaitUninterruptibly();
            }
        } finally {
            turns.unlock();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM ends", e);
        }
    }

    private void run() {
        try (channel) {
            writeAll();
        } catch (IOException e) {
            LOG.warn("Packets are not captured any more: {} cannot be written: {}", spec.file(), e.toString());
        } finally {
            interfaces.forEach(DeviceTap::detach);
            turns.lock();
            ended = true;
            turned.signalAll();
            turns.unlock();
        }
    }

    private void writeAll() throws IOException {
        boolean last = false;
        while (!last) {
            turns.lock();
            last = closing;
            long turn = wanted;
            boolean asked = turn != written;
            turns.unlock();
            if (spec.isRing()) {
                writeKept(asked);
            } else {
                writeUpTo(log, log.tail());
            }
            if (asked) {
                turns.lock();
                written = turn;
                turned.signalAll();
                turns.unlock();
            } else if (!last) {
                LockSupport.parkNanos(this, spec.isRing() ? Long.MAX_VALUE : LOOK_NANOS);
            }
        }
        writeInterfaces();
        writeStatistics();
    }

    /** Writes what is kept, while more is kept elsewhere. */
    private void writeKept(boolean asked) throws IOException {
        if (asked) {
            lock.lock();
            PacketLog full = log;
            log = spare;
            lock.unlock();
            writeUpTo(full, full.tail());
            spare = full;
        }
    }

    private void writeUpTo(PacketLog packets, long end) throws IOException {
        writeInterfaces();
        packets.drain(channel, end);
    }

    /** Those of the packets that follow, if they are new. */
    private void writeInterfaces() throws IOException {
        while (interfacesWritten < interfaces.size()) {
            ByteBuffer block = PcapNg.buffer();
            PcapNg.device(block, interfaces.get(interfacesWritten).name(), spec.snap());
            write(block);
            interfacesWritten++;
        }
    }

    private void writeStatistics() throws IOException {
        for (DeviceTap tap : new ArrayList<>(interfaces)) {
            ByteBuffer block = PcapNg.buffer();
            tap.statistics(block);
            write(block);
        }
    }

    private void write(ByteBuffer block) throws IOException {
        block.flip();
        while (block.hasRemaining()) {
            channel.write(block);
        }
    }
}
