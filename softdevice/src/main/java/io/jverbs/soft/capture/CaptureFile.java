package io.jverbs.soft.capture;

import io.jverbs.soft.queue.SpinLock;
import io.jverbs.spi.ServiceLoop;
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
 * A capture file that one or more devices write packets to. The threads that send and receive packets copy them into a
 * {@link BlockRing} in memory. A thread of this object opens the file, writes the packets and closes the file.
 *
 * <p>
 * {@link #lock()}, a spin lock held for the copy of a packet, guards the packet log and the interfaces. A second lock
 * guards the state of the file; it is not held during I/O.
 */
final class CaptureFile {
    private static final Logger LOG = LoggerFactory.getLogger(CaptureFile.class);
    private static final long WRITE_INTERVAL_NANOS = 10_000_000;
    private static final long NANOS = 1_000_000_000L;
    private static final String THREAD = "jverbs-capture";
    /** The number of successive failures that ends the file, because other threads may wait for the write. */
    private static final int MAX_FAILURES = 10;

    /** Opens the channel to write to. */
    interface Opener {
        WritableByteChannel open() throws IOException;
    }

    private final CaptureSpec spec;
    private final Opener opener;
    /**
     * The difference between the nanoseconds since 1970 and {@link System#nanoTime} when the file was created. It is
     * the same for all devices.
     */
    private final long epoch;
    /** Guards the frame, the log and the reference to it, the interfaces, and the state of the taps. */
    private final SpinLock lock = new SpinLock();
    private final Frame frame = new Frame();
    /** Null once the file has ended. */
    private BlockRing log;
    private final List<Interface> interfaces = new ArrayList<>();
    /** The attached taps. */
    private final List<DeviceTap> taps = new CopyOnWriteArrayList<>();
    private final Thread writer = ServiceLoop.unstarted(THREAD, CaptureFile.class, this::run);
    private final Thread atExit = ServiceLoop.unstarted("jverbs-capture-exit", CaptureFile.class, this::close);
    /** Guards the fields that follow, up to {@link #state}. It is not held during I/O. */
    private final ReentrantLock stateLock = new ReentrantLock();
    private final Condition stateChanged = stateLock.newCondition();
    private long flushesRequested;
    private long flushesDone;
    /** Changed with the lock held, read with or without it. */
    private volatile CaptureFileState state = CaptureFileState.OPENING;
    /** Why the file could not be opened; set by the writing thread before the state. */
    private IOException refusal;
    private volatile WritableByteChannel out;
    // used by the writing thread only
    private BlockRing spare;
    private int interfacesWritten;
    private final ServiceLoop loop = new ServiceLoop(CaptureFile.class, THREAD);

    CaptureFile(CaptureSpec spec, Opener opener) {
        this.spec = spec;
        this.opener = opener;
        Instant now = Instant.now();
        this.epoch = now.getEpochSecond() * NANOS + now.getNano() - System.nanoTime();
        this.log = new BlockRing(spec.buffer(), spec.ring());
        this.spare = spec.isRing() ? new BlockRing(spec.buffer(), spec.ring()) : null;
    }

    /**
     * Opens the file and writes its header. When the JVM exits, the packets captured by then are written.
     *
     * @throws IOException if the file cannot be opened or written; the file has then ended
     */
    void start() throws IOException {
        writer.start();
        try {
            awaitOpened();
            LOG.info("Capturing packets to {}", spec.file());
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void awaitOpened() throws IOException {
        stateLock.lock();
        try {
            while (state == CaptureFileState.OPENING) {
                stateChanged.awaitUninterruptibly();
            }
            if (state == CaptureFileState.REFUSED) {
                throw refusal == null ? new IOException("the thread that writes the file has ended") : refusal;
            }
        } finally {
            stateLock.unlock();
        }
    }

    CaptureSpec spec() {
        return spec;
    }

    long epoch() {
        return epoch;
    }

    /**
     * Returns the channel that the file is written to, null before it is open. Tests close it to make the next write
     * fail.
     */
    WritableByteChannel out() {
        return out;
    }

    /** Returns whether the file is closed, by {@link #close} or after a failure. No tap is attached any more. */
    boolean hasEnded() {
        return state.compareTo(CaptureFileState.ENDED) >= 0;
    }

    /** Returns whether the file has ended or is about to end, so that no tap may attach. */
    boolean isClosing() {
        return state.compareTo(CaptureFileState.DETACHING) >= 0;
    }

    /** Changes the state, unless it is that state or a later one already. */
    private void advance(CaptureFileState next) {
        stateLock.lock();
        try {
            if (state.compareTo(next) < 0) {
                state = next;
                stateChanged.signalAll();
            }
        } finally {
            stateLock.unlock();
        }
    }

    /** Adds the interface of a device, before any of its packets. Waits until there is room for its description. */
    Interface addInterface(String name, long started) {
        Interface added = addInterfaceIfRoom(name, started);
        while (added == null) {
            flush();
            added = addInterfaceIfRoom(name, started);
        }
        return added;
    }

    private Interface addInterfaceIfRoom(String name, long started) {
        lock.lock();
        try {
            Interface added = new Interface(name, interfaces.size(), started);
            // a ring would evict the description; there it is written before the packets
            if (log != null && !spec.isRing() && !tryAppend(added.description(spec.snap()))) {
                return null;
            }
            interfaces.add(added);
            return added;
        } finally {
            lock.unlock();
        }
    }

    private boolean tryAppend(ByteBuffer block) {
        int length = block.remaining();
        ByteBuffer room = log.room(length);
        if (room == null) {
            return false;
        }
        room.put(block);
        log.added(length);
        return true;
    }

    /** Adds a tap, which is detached when the file ends. */
    void addTap(DeviceTap tap) {
        taps.add(tap);
    }

    void removeTap(DeviceTap tap) {
        taps.remove(tap);
    }

    SpinLock lock() {
        return lock;
    }

    /** Returns the frame in which the current packet is built. The lock is held. */
    Frame frame() {
        assert lock.isHeldByCurrentThread();
        return frame;
    }

    /** Appends the packet in the frame to the log; returns false if there is no room. The lock is held. */
    boolean append(int device, long nanos, boolean leaving, int captured, int length) {
        assert lock.isHeldByCurrentThread();
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

    /** Called when a queue pair has failed: with {@code ring=}, requests that the kept packets are written. */
    void queuePairFailed() {
        if (spec.isRing()) {
            stateLock.lock();
            flushesRequested++;
            stateLock.unlock();
            LockSupport.unpark(writer);
        }
    }

    /** Waits until the packets captured so far are written, or the file has ended. */
    void flush() {
        stateLock.lock();
        try {
            long own = ++flushesRequested;
            LockSupport.unpark(writer);
            while (flushesDone < own && !hasEnded()) {
                stateChanged.awaitUninterruptibly();
            }
        } finally {
            stateLock.unlock();
        }
    }

    /** Writes the packets captured so far and closes the file; returns when that is done. Later calls do nothing. */
    void close() {
        detachTaps();
        advance(CaptureFileState.CLOSING);
        LockSupport.unpark(writer);
        stateLock.lock();
        try {
            while (!hasEnded()) {
                stateChanged.awaitUninterruptibly();
            }
        } finally {
            stateLock.unlock();
        }
    }

    private void detachTaps() {
        if (state != CaptureFileState.OPENING) {
            advance(CaptureFileState.DETACHING);
        }
        for (DeviceTap tap : taps) {
            try {
                tap.detach();
            } catch (RuntimeException | Error e) {
                // the first attempt may have been interrupted half way; the others must be detached, too
                tap.detach();
            }
        }
    }

    private void run() {
        try {
            WritableByteChannel channel = opener.open();
            try (channel) {
                out = channel;
                ByteBuffer header = PcapNg.buffer();
                PcapNg.section(header);
                write(channel, header.flip());
                begin();
                writeAll(channel);
                // twice, in case an Error ends the first attempt
                channel.close();
            }
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        } finally {
            try {
                end();
            } catch (Error e) {
                // again, because threads may wait for the end
                end();
            }
        }
    }

    private void begin() {
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is shutting down and may exit before {} is complete", spec.file(), e);
        }
        advance(CaptureFileState.OPEN);
    }

    private void fail(Throwable cause) {
        if (state == CaptureFileState.OPENING) {
            refusal = cause instanceof IOException exception ? exception : new IOException(cause);
        } else {
            LOG.warn("The capture to {} has ended, because the file cannot be written: {}", spec.file(),
                    cause.toString());
        }
    }

    private void end() {
        try {
            detachTaps();
            free();
        } finally {
            advance(state == CaptureFileState.OPENING ? CaptureFileState.REFUSED : CaptureFileState.ENDED);
        }
    }

    /** Frees the memory, because others may keep references to this object. */
    private void free() {
        lock.lock();
        log = null;
        lock.unlock();
        spare = null;
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            LOG.debug("The JVM is shutting down", e);
        }
    }

    private void writeAll(WritableByteChannel channel) throws IOException {
        boolean last = false;
        while (!last) {
            try {
                loop.begin();
                last = write(channel);
                loop.passed();
            } catch (RuntimeException | Error e) {
                if (loop.failed(e) == MAX_FAILURES) {
                    throw e;
                }
            }
        }
        writeStatistics(channel);
    }

    /** Writes what is due; waits if no flush was requested. Returns whether this was the last write. */
    private boolean write(WritableByteChannel channel) throws IOException {
        stateLock.lock();
        boolean last = state == CaptureFileState.CLOSING;
        long request = flushesRequested;
        boolean requested = request != flushesDone;
        stateLock.unlock();
        if (!spec.isRing()) {
            log.drain(channel, log.tail());
        } else if (requested) {
            writeKept(channel);
        }
        if (requested) {
            stateLock.lock();
            flushesDone = request;
            stateChanged.signalAll();
            stateLock.unlock();
        } else if (!last) {
            LockSupport.parkNanos(this, spec.isRing() ? Long.MAX_VALUE : WRITE_INTERVAL_NANOS);
        }
        return last;
    }

    /**
     * Writes the kept packets of a ring, while new packets go to the spare log. If a failed write has left packets in
     * the spare log, those are written instead.
     */
    private void writeKept(WritableByteChannel channel) throws IOException {
        if (spare.head() == spare.tail()) {
            lock.lock();
            BlockRing full = log;
            log = spare;
            lock.unlock();
            spare = full;
        }
        writeInterfaces(channel, interfaces());
        spare.drain(channel, spare.tail());
    }

    private List<Interface> interfaces() {
        lock.lock();
        try {
            return List.copyOf(interfaces);
        } finally {
            lock.unlock();
        }
    }

    /** Writes the descriptions of the interfaces of a ring that are not written yet. */
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
            // the log contains the descriptions
            log.drain(channel, log.tail());
        }
        // the counts are final, because no tap is attached
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
