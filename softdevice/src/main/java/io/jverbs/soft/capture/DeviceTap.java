package io.jverbs.soft.capture;

import io.jverbs.control.PacketCapture;
import io.jverbs.soft.fabric.UdpWire;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.transport.Timers;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketBuffer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One device's part of a capture: an interface in its file. */
final class DeviceTap implements Tap, PacketCapture.Running {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceTap.class);

    private final CaptureFile file;
    private final String name;
    private final Timers clock;
    private final Consumer<Tap> place;
    private final Consumer<DeviceTap> end;
    private final int number;
    /** What the clock lacks to the time since 1970. */
    private final long epoch;
    private final long started;
    // guarded by the file's lock
    private long packets;
    private long dropped;
    private boolean detached;

    /**
     * @param file the file
     * @param name the device's name
     * @param clock its clock
     * @param place where who looks is told to the device, null for nobody
     * @param end told when this is closed
     */
    DeviceTap(CaptureFile file, String name, Timers clock, Consumer<Tap> place, Consumer<DeviceTap> end) {
        this.file = file;
        this.name = name;
        this.clock = clock;
        this.place = place;
        this.end = end;
        this.epoch = clock.epoch(file.epoch());
        this.started = time();
        this.number = file.add(this);
    }

    /** Begins to look, unless the file has ended meanwhile. */
    void attach() {
        place.accept(this);
        SpinLock lock = file.lock();
        lock.lock();
        boolean late = detached;
        lock.unlock();
        if (late) {
            place.accept(null);
        }
    }

    /** Looks no more; once is enough. */
    void detach() {
        SpinLock lock = file.lock();
        lock.lock();
        boolean first = !detached;
        detached = true;
        lock.unlock();
        if (first) {
            place.accept(null);
            if (dropped() != 0) {
                LOG.warn("{} of {} packets of {} are not in {}, as they came faster than they could be written",
                        dropped(), packets() + dropped(), name, file.spec().file());
            }
        }
    }

    String name() {
        return name;
    }

    CaptureFile captureFile() {
        return file;
    }

    private long time() {
        return epoch + clock.nanoTime();
    }

    void statistics(ByteBuffer out) {
        PcapNg.statistics(out, number, started, time(), packets(), dropped());
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
        if (!detached) {
            if (file.take(number, time(), leaving, captured, length)) {
                packets++;
            } else {
                dropped++;
            }
        }
    }

    @Override
    public void failed(int qpn) {
        LOG.debug("Queue pair {} of {} has failed", qpn, name);
        file.failed();
    }

    @Override
    public Path file() {
        return file.spec().file();
    }

    @Override
    public long packets() {
        SpinLock lock = file.lock();
        lock.lock();
        long count = packets;
        lock.unlock();
        return count;
    }

    @Override
    public long dropped() {
        SpinLock lock = file.lock();
        lock.lock();
        long count = dropped;
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
        end.accept(this);
    }
}
