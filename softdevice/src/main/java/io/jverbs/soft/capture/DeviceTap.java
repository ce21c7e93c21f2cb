package io.jverbs.soft.capture;

import io.jverbs.control.PacketCapture;
import io.jverbs.soft.fabric.UdpWire;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.transport.Timers;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketBuffer;
import java.nio.file.Path;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One device's part of a capture, while it is looked at: the file knows it no longer than that. */
final class DeviceTap implements Tap, PacketCapture.Running {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceTap.class);

    /** Whose packets are looked at. */
    interface Owner {
        /** Has a tap look, in place of another. */
        void hook(DeviceTap tap);

        /** Has a tap look no more, if it is the one that does. */
        void unhook(DeviceTap tap);

        /** A tap was closed. */
        void closed(DeviceTap tap);
    }

    private final CaptureFile file;
    private final Timers clock;
    private final Owner owner;
    /** What the clock lacks to the time since 1970. */
    private final long epoch;
    // guarded by the file's lock
    private final Interface described;
    private boolean looking;
    /** Its end is counted. */
    private boolean counted;

    /**
     * @param file the file
     * @param name the device's name
     * @param clock its clock
     * @param owner who has it looked at
     */
    DeviceTap(CaptureFile file, String name, Timers clock, Owner owner) {
        this.file = file;
        this.clock = clock;
        this.owner = owner;
        this.epoch = clock.epoch(file.epoch());
        this.described = file.add(name, time());
    }

    /** Begins to look, unless the file has ended meanwhile. */
    void attach() {
        file.enter(this);
        SpinLock lock = file.lock();
        lock.lock();
        looking = !file.isOver();
        boolean looks = looking;
        lock.unlock();
        if (looks) {
            owner.hook(this);
        }
        if (file.isOver()) {
            detach();
        }
    }

    /** Looks no more; once is enough. */
    void detach() {
        SpinLock lock = file.lock();
        lock.lock();
        boolean looked = looking;
        if (looked) {
            looking = false;
            described.end(time());
        }
        lock.unlock();
        file.leave(this);
        owner.unhook(this);
        if (looked && dropped() != 0) {
            LOG.warn("{} of {} packets of {} are not in {}, as they came faster than they could be written",
                    dropped(), packets() + dropped(), described.name(), file());
        }
    }

    /** Whether this is the first time that it is asked; guarded by who does. */
    boolean isFirstEnd() {
        boolean first = !counted;
        counted = true;
        return first;
    }

    CaptureFile captureFile() {
        return file;
    }

    private long time() {
        return epoch + clock.nanoTime();
    }

    @Override
    public void written(boolean leaving, Outgoing packet, int bytes, long sourceHigh, long sourceLow,
            long destinationHigh, long destinationLow) {
        SpinLock lock = file.lock();
        lock.lock();
        try {
            Frame frame = file.frame();
            frame.between(sourceHigh, sourceLow, UdpWire.UDP_PORT, destinationHigh, destinationLow);
            int written = packet.encoder().written();
            int length = frame.complete(packet.buffer().segment(), written);
            take(leaving, bytes == written ? length : frame.headers() + bytes, length);
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
            take(false, whole, whole);
        } finally {
            lock.unlock();
        }
    }

    private void take(boolean leaving, int captured, int length) {
        if (looking) {
            described.count(file.take(described.number(), time(), leaving, captured, length));
        }
    }

    @Override
    public void failed(int qpn) {
        LOG.debug("Queue pair {} of {} has failed", qpn, described.name());
        file.failed();
    }

    @Override
    public Path file() {
        return file.spec().file();
    }

    @Override
    public long packets() {
        return count(Interface::packets);
    }

    @Override
    public long dropped() {
        return count(Interface::dropped);
    }

    private long count(ToLongFunction<Interface> which) {
        SpinLock lock = file.lock();
        lock.lock();
        long count = which.applyAsLong(described);
        lock.unlock();
        return count;
    }

    @Override
    public void flush() {
        file.flush();
    }

    @Override
    public void close() {
        detach();
        owner.closed(this);
    }
}
