package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedLink;
import io.jverbs.soft.queue.SpinLock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Changes directions, some or all. */
final class LinkControl implements SimulatedLink {
    private final SpinLock lock;
    private final Supplier<List<Direction>> directions;
    /** All of them, those to come included; null for some. */
    private final Links all;

    LinkControl(SpinLock lock, Supplier<List<Direction>> some) {
        this.lock = lock;
        this.directions = some;
        this.all = null;
    }

    LinkControl(SpinLock lock, Links all) {
        this.lock = lock;
        this.directions = all::all;
        this.all = all;
    }

    private SimulatedLink change(Consumer<LinkSettings> change) {
        // what cannot be is refused before anything is changed
        change.accept(new LinkSettings());
        return each(direction -> change.accept(direction.settings()), change);
    }

    private SimulatedLink each(Consumer<Direction> action, Consumer<LinkSettings> defaults) {
        lock.lock();
        try {
            directions.get().forEach(action);
            if (all != null) {
                defaults.accept(all.defaults());
            }
        } finally {
            lock.unlock();
        }
        return this;
    }

    @Override
    public SimulatedLink loss(double probability) {
        return change(link -> link.loss(probability));
    }

    @Override
    public SimulatedLink burstLoss(double begin, double end, double loss) {
        return change(link -> link.burst(begin, end, loss));
    }

    @Override
    public SimulatedLink duplicate(double probability) {
        return change(link -> link.duplicate(probability));
    }

    @Override
    public SimulatedLink reorder(double probability, Duration by) {
        return change(link -> link.reorder(probability, by));
    }

    @Override
    public SimulatedLink corrupt(double probability) {
        return change(link -> link.corrupt(probability));
    }

    @Override
    public SimulatedLink delay(Duration time) {
        return change(link -> link.delay(time));
    }

    @Override
    public SimulatedLink jitter(Duration most) {
        return change(link -> link.jitter(most));
    }

    @Override
    public SimulatedLink bandwidth(long bitsPerSecond) {
        return change(link -> link.bandwidth(bitsPerSecond));
    }

    @Override
    public SimulatedLink mtu(int bytes) {
        return change(link -> link.mtu(bytes));
    }

    @Override
    public SimulatedLink partition() {
        return cut(true);
    }

    @Override
    public SimulatedLink heal() {
        return cut(false);
    }

    private SimulatedLink cut(boolean now) {
        lock.lock();
        try {
            if (all != null) {
                all.cutAll(now);
            } else {
                directions.get().forEach(direction -> direction.cut(now));
            }
        } finally {
            lock.unlock();
        }
        return this;
    }

    @Override
    public SimulatedLink perfect() {
        LinkSettings none = new LinkSettings();
        each(direction -> direction.settings(none), defaults -> all.defaults(none));
        return heal();
    }
}
