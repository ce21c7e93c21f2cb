package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedLink;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.spi.StackReserve;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The control of one link, one direction, or all links of a network. It takes the schedule's lock for each change.
 * Thread-safe.
 */
final class LinkControl implements SimulatedLink {
    private final SpinLock lock;
    /** The directions to change; null for all. */
    private final Supplier<List<LinkDirection>> selected;
    private final Links all;

    LinkControl(SpinLock lock, Supplier<List<LinkDirection>> selected) {
        this.lock = lock;
        this.selected = selected;
        this.all = null;
    }

    LinkControl(SpinLock lock, Links all) {
        this.lock = lock;
        this.selected = null;
        this.all = all;
    }

    private SimulatedLink change(Consumer<LinkSettings> change) {
        // throws for an illegal value before anything is changed
        change.accept(new LinkSettings());
        return apply(direction -> change.accept(direction.settings()), links -> links.change(change));
    }

    /** Applies the first action to each selected direction, or the second to all links. */
    private SimulatedLink apply(Consumer<LinkDirection> toSelected, Consumer<Links> toAll) {
        StackReserve.check();
        lock.lock();
        try {
            if (selected == null) {
                toAll.accept(all);
            } else {
                selected.get().forEach(toSelected);
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
        Objects.requireNonNull(by, "by");
        return change(link -> link.reorder(probability, by));
    }

    @Override
    public SimulatedLink corrupt(double probability) {
        return change(link -> link.corrupt(probability));
    }

    @Override
    public SimulatedLink delay(Duration time) {
        Objects.requireNonNull(time, "time");
        return change(link -> link.delay(time));
    }

    @Override
    public SimulatedLink jitter(Duration most) {
        Objects.requireNonNull(most, "most");
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
        return apply(direction -> direction.cut(true), links -> links.cutAll(true));
    }

    @Override
    public SimulatedLink heal() {
        return apply(direction -> direction.cut(false), Links::heal);
    }

    @Override
    public SimulatedLink perfect() {
        return apply(LinkDirection::perfect, Links::perfect);
    }
}
