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
    /** Null for all. */
    private final Supplier<List<Direction>> some;
    private final Links all;

    LinkControl(SpinLock lock, Supplier<List<Direction>> some) {
        this.lock = lock;
        this.some = some;
        this.all = null;
    }

    LinkControl(SpinLock lock, Links all) {
        this.lock = lock;
        this.some = null;
        this.all = all;
    }

    private SimulatedLink change(Consumer<LinkSettings> change) {
        // what cannot be is refused before anything is changed
        change.accept(new LinkSettings());
        return act(direction -> change.accept(direction.settings()), links -> links.change(change));
    }

    /** Does the one to each of some directions, or the other to all of them. */
    private SimulatedLink act(Consumer<Direction> toSome, Consumer<Links> toAll) {
        lock.lock();
        try {
            if (some == null) {
                toAll.accept(all);
            } else {
                some.get().forEach(toSome);
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
        return act(direction -> direction.cut(true), links -> links.cutAll(true));
    }

    @Override
    public SimulatedLink heal() {
        return act(direction -> direction.cut(false), Links::heal);
    }

    @Override
    public SimulatedLink perfect() {
        return act(Direction::perfect, Links::perfect);
    }
}
