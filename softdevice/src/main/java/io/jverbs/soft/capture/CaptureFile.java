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
 * a copy, and are written by a thread that this has, which also opens and closes the file, as an interrupted thread would close it.
 */
final class CaptureFile {
    private static final Logger LOG = LoggerFactory.getLogger(CaptureFile.class);
    private static final long LOOK_NANOS = 10_000_000;
    private static final long NANOS = 1_000_000_000L;

    /** Opens what is written to. */
    interface Opener {
        WritableByteChannel open() throws IOException;
    }

    private final CaptureSpec spec;
    private final Opener opener;
    /** What the system's clock lacked to the time since 1970 when the file was begun; one for all devices. */
    private final long epoch;
    /** Guards the frame, the log and that it is this one, the interfaces, and what taps count. */
    private final SpinLock lock = new SpinLock();
    private final Frame frame = new Frame();
    /** Null once nothing is written any more. */
    private PacketLog log;
    private final List<Interface> interfaces = new ArrayList<>();
    /** Those that look. */
    private final List<DeviceTap> taps = new CopyOnWriteArrayList<>();
    private final Thread writer = Thread.ofPlatform().daemon().name("jverbs-capture").unstarted(this::run);
    private final Thread atExit = Thread.ofPlatform().name("jverbs-capture-exit").unstarted(this::close);
    /** Guards what follows, and is not held while the file is written. */
    private final ReentrantLock turns = new ReentrantLock();
    private final Condition turned = turns.newCondition();
    private long wanted;
    private long written;
    private boolean begun;
    private IOException refusal;
    private boolean closing;
    /** From now on nobody begins to look. */
    private volatile boolean over;
    private volatile boolean ended;
    // of the writing thread
    private PacketLog spare;
    private int interfacesWritten;

    CaptureFile(CaptureSpec spec, Opener opener) {
        this.spec = spec;
        this.opener = opener;
        Instant now = Instant.now();
        this.epoch = now.getEpochSecond() * NANOS + now.getNano() - System.nanoTime();
        this.log = new PacketLog(spec.buffer(), spec.ring());
        this.spare = spec.isRing() ? new PacketLog(spec.buffer(), spec.ring()) : null;
    }

    /**
     * Begins the file; at the end of the JVM, what is captured by then is written.
     *
     * @throws IOException if it cannot be written; then this is over
     */
    void start() throws IOException {
        writer.start();
        turns.lock();
        try {
            while (!begun && !ended) {
                turned.awaitUninterruptibly();
            }
            if (!begun) {
                throw refusal == null ? new IOException("the thread that writes it has ended") : refusal;
            }
        } finally {
            turns.unlock();
        }
        LOG.info("Capturing packets to {}", spec.file());
    }

    CaptureSpec spec() {
        return spec;
    }

    long epoch() {
        return epoch;
    }

    /** Whether it is closed, of itself or not; nobody looks any more. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether it has ended or is about to: who begins to look after those who do were told must not. */
    boolean isOver() {
        return over;
    }

    /** Adds a device before any packet of it. Waits until there is room for its description. */
    Interface add(String name, long started) {
        Interface added = addIfRoom(name, started);
        while (added == null) {
            flush();
            added = addIfRoom(name, started);
        }
        return added;
    }

    private Interface addIfRoom(String name, long started) {
        lock.lock();
        try {
            Interface added = new Interface(name, interfaces.size(), started);
            // where the oldest give way it would too: there it is written before what is kept
            if (log != null && !spec.isRing() && !hasTaken(added.description(spec.snap()))) {
                return null;
            }
            interfaces.add(added);
            return added;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasTaken(ByteBuffer block) {
        int length = block.remaining();
        ByteBuffer room = log.room(length);
        if (room == null) {
            return false;
        }
        room.put(block);
        log.added(length);
        return true;
    }

    /** Somebody looks from now on, and has to be told when it is over. */
    void enter(DeviceTap tap) {
        taps.add(tap);
    }

    void leave(DeviceTap tap) {
        taps.remove(tap);
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
        nobodyLooks();
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
    }

    private void nobodyLooks() {
        over = true;
        taps.forEach(DeviceTap::detach);
    }

    private void run() {
        try (WritableByteChannel channel = opener.open()) {
            ByteBuffer header = PcapNg.buffer();
            PcapNg.section(header);
            write(channel, header.flip());
            begin();
            writeAll(channel);
        } catch (IOException | RuntimeException e) {
            fail(e);
        } finally {
            end();
        }
    }

    private void begin() {
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM ends: it may not wait for {}", spec.file(), e);
        }
        turns.lock();
        begun = true;
        turned.signalAll();
        turns.unlock();
    }

    private void fail(Exception cause) {
        turns.lock();
        boolean late = begun;
        refusal = cause instanceof IOException refused ? refused : new IOException(cause);
        turns.unlock();
        if (late) {
            LOG.warn("Packets are not captured any more: {} cannot be written: {}", spec.file(), cause.toString());
        }
    }

    private void end() {
        nobodyLooks();
        // others may know the file longer than it needs its memory
        lock.lock();
        log = null;
        lock.unlock();
        spare = null;
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM ends", e);
        }
        turns.lock();
        ended = true;
        turned.signalAll();
        turns.unlock();
    }

    private void writeAll(WritableByteChannel channel) throws IOException {
        boolean last = false;
        while (!last) {
            turns.lock();
            last = closing;
            long turn = wanted;
            boolean asked = turn != written;
            turns.unlock();
            if (!spec.isRing()) {
                log.drain(channel, log.tail());
            } else if (asked) {
                writeKept(channel);
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
        writeStatistics(channel);
    }

    /** Writes what is kept, while more is kept elsewhere. */
    private void writeKept(WritableByteChannel channel) throws IOException {
        lock.lock();
        PacketLog full = log;
        log = spare;
        lock.unlock();
        spare = full;
        writeInterfaces(channel, interfaces());
        full.drain(channel, full.tail());
    }

    private List<Interface> interfaces() {
        lock.lock();
        try {
            return List.copyOf(interfaces);
        } finally {
            lock.unlock();
        }
    }

    /** Those of a ring, if they are new. */
    private void writeInterfaces(WritableByteChannel channel, List<Interface> known) throws IOException {
        while (interfacesWritten < known.size()) {
            write(channel, known.get(interfacesWritten).description(spec.snap()));
            interfacesWritten++;
        }
    }

    private void writeStatistics(WritableByteChannel channel) throws IOException {
        List<Interface> known = interfaces();
        if (spec.isRing()) {
            writeInterfaces(channel, known);
        } else {
            // the descriptions are there
            log.drain(channel, log.tail());
        }
        // nobody counts any more
        for (Interface each : known) {
            write(channel, each.statistics());
        }
    }

    private static void write(WritableByteChannel channel, ByteBuffer block) throws IOException {
        while (block.hasRemaining()) {
            channel.write(block);
        }
    }
}
