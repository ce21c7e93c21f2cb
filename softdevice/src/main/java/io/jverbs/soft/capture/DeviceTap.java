package io.jverbs.soft.capture;

import io.jverbs.control.PacketCapture;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.spi.StackReserve;
import java.nio.file.Path;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The capture of one device into a {@link CaptureFile}. While it is attached, it copies the device's packets into the
 * file's packet log. Its mutable state is guarded by the lock of the file. Thread-safe.
 */
final class DeviceTap implements Tap, PacketCapture.Running {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceTap.class);

    /** The device whose packets are captured. */
    interface Owner {
        /** Installs a tap in place of the present one. */
        void install(DeviceTap tap);

        /** Removes a tap, if it is the one that is installed. */
        void uninstall(DeviceTap tap);

        /** Called when a tap was closed. */
        void closed(DeviceTap tap);
    }

    private final CaptureFile file;
    private final Timers clock;
    private final Owner owner;
    /** The difference between the nanoseconds since 1970 and the device's clock. */
    private final long epoch;
    // guarded by the file's lock
    private final Interface descriptor;
    /** Changed with the file's lock held, except to RELEASED. */
    private volatile State state = State.DETACHED;

    /**
     * Whether packets are captured.
     * <pre>
     * state     attach                         detach    released
     * DETACHED  ATTACHED, if the file is open  -         RELEASED
     * ATTACHED  -                              DETACHED  -
     * RELEASED  -                              -         -
     * </pre>
     */
    private enum State {
        /** Packets are not captured; the tap still counts as a user of the file. */
        DETACHED,
        /** Packets are captured. */
        ATTACHED,
        /** The tap no longer counts as a user of the file. */
        RELEASED
    }

    /**
     * @param file the file
     * @param name the device's name
     * @param clock its clock
     * @param owner the device, for which taps are installed
     */
    DeviceTap(CaptureFile file, String name, Timers clock, Owner owner) {
        this.file = file;
        this.clock = clock;
        this.owner = owner;
        this.epoch = clock.epoch(file.epoch());
        this.descriptor = file.addInterface(name, time());
    }

    /** Starts to capture packets, unless the file has ended meanwhile. */
    void attach() {
        file.addTap(this);
        SpinLock lock = file.lock();
        boolean nowAttached;
        lock.lock();
        try {
            nowAttached = !file.isClosing();
            if (nowAttached) {
                state = State.ATTACHED;
            }
        } finally {
            lock.unlock();
        }
        if (nowAttached) {
            owner.install(this);
        }
        if (file.isClosing()) {
            detach();
        }
    }

    /** Stops capturing packets, and logs a warning if packets were dropped. Later calls have no effect. */
    void detach() {
        SpinLock lock = file.lock();
        boolean wasAttached;
        lock.lock();
        try {
            wasAttached = state == State.ATTACHED;
            if (wasAttached) {
                state = State.DETACHED;
                descriptor.end(time());
            }
        } finally {
            lock.unlock();
        }
        file.removeTap(this);
        owner.uninstall(this);
        long dropped = count(Interface::dropped);
        if (wasAttached && dropped != 0) {
            LOG.warn("{} of {} packets of {} were not captured to {}, because they came faster than they were written",
                    dropped, count(Interface::packets) + dropped, descriptor.name(), file());
        }
    }

    /** Returns whether the tap no longer counts as a user of the file. The caller synchronizes the calls. */
    boolean isReleased() {
        return state == State.RELEASED;
    }

    /**
     * Notes that the tap, which was detached, no longer counts as a user of the file. The caller synchronizes the
     * calls.
     */
    void released() {
        state = State.RELEASED;
    }

    CaptureFile captureFile() {
        return file;
    }

    private long time() {
        return epoch + clock.nanoTime();
    }

    @Override
    public void written(boolean leaving, SendBuffer packet, int bytes, long sourceHigh, long sourceLow,
            long destinationHigh, long destinationLow) {
        SpinLock lock = file.lock();
        lock.lock();
        try {
            Frame frame = file.frame();
            frame.between(sourceHigh, sourceLow, Roce.UDP_PORT, destinationHigh, destinationLow);
            int written = packet.encoder().written();
            int length = frame.complete(packet.buffer().segment(), written);
            append(leaving, bytes == written ? length : frame.headers() + bytes, length);
        } catch (RuntimeException | Error e) {
            countDropped();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void received(PacketBuffer packet, int length, int index, long sourceHigh, long sourceLow, int sourcePort,
            long destinationHigh, long destinationLow) {
        SpinLock lock = file.lock();
        lock.lock();
        try {
            Frame frame = file.frame();
            frame.between(sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow);
            int whole = frame.take(packet, length, index);
            append(false, whole, whole);
        } catch (RuntimeException | Error e) {
            countDropped();
        } finally {
            lock.unlock();
        }
    }

    private void append(boolean leaving, int captured, int length) {
        if (state == State.ATTACHED) {
            descriptor.count(file.append(descriptor.number(), time(), leaving, captured, length));
        }
    }

    /** Counts a packet that could not be captured. The packet itself is not affected. */
    private void countDropped() {
        if (state == State.ATTACHED) {
            descriptor.count(false);
        }
    }

    @Override
    public void failed(int qpn) {
        LOG.debug("Queue pair {} of {} has failed", qpn, descriptor.name());
        file.queuePairFailed();
    }

    @Override
    public Path file() {
        return file.spec().file();
    }

    @Override
    public long packets() {
        StackReserve.check();
        return count(Interface::packets);
    }

    @Override
    public long dropped() {
        StackReserve.check();
        return count(Interface::dropped);
    }

    private long count(ToLongFunction<Interface> which) {
        SpinLock lock = file.lock();
        lock.lock();
        try {
            return which.applyAsLong(descriptor);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void flush() {
        StackReserve.check();
        file.flush();
    }

    @Override
    public void close() {
        StackReserve.check();
        end();
    }

    /** Closes the tap. The caller has made sure that enough stack is left. */
    void end() {
        detach();
        owner.closed(this);
    }
}
