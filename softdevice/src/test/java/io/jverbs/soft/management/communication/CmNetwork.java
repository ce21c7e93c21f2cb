package io.jverbs.soft.management.communication;

import io.jverbs.Gid;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.queue.DeferredWork;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/** Connects agents in virtual time. Messages are delayed, so that they may overtake each other; lost; and doubled. */
public final class CmNetwork implements Timers {
    private static final int MIN_DELAY_NANOS = 1_000;
    private static final int MAX_DELAY_NANOS = 100_000;

    private final Random random;
    private final double loss;
    private final double duplication;
    private final DeferredWork.DeferredQueue deferred = new DeferredWork.DeferredQueue();
    private final Map<Gid, CmAgent> agents = new HashMap<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingLong((Event event) -> event.at).thenComparingLong(event -> event.number));
    private long now;
    private long added;
    /** Decides about each message, besides chance. */
    private Filter filter = (mad, path) -> true;

    /** Which messages arrive. */
    public interface Filter {
        boolean arrives(ManagementDatagram mad, CmPath path);
    }

    private static final class Event implements Alarm {
        private final long at;
        private final long number;
        private Runnable action;

        Event(long at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        @Override
        public void cancel() {
            action = null;
        }
    }

    public CmNetwork(long seed, double loss, double duplication) {
        this.random = new Random(seed);
        this.loss = loss;
        this.duplication = duplication;
    }

    /** Adds an agent with the times that Linux uses. */
    public CmAgent agent(Gid gid, long guid) {
        CmAgent agent = new CmAgent("test", deferred, guid, this::transmit, this, CmDurations.STANDARD, random);
        agents.put(gid, agent);
        return agent;
    }

    public void filter(Filter changed) {
        filter = changed;
    }

    private void transmit(ManagementDatagram mad, CmPath path) {
        int copies = random.nextDouble() < duplication ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            if (random.nextDouble() >= loss && filter.arrives(mad, path)) {
                CmPath reverse = new CmPath(path.remote(), path.local());
                set(random.nextInt(MIN_DELAY_NANOS, MAX_DELAY_NANOS), () -> {
                    CmAgent receiver = agents.get(path.remote());
                    if (receiver != null) {
                        receiver.receive(ManagementDatagram.of(mad.toBytes()), reverse);
                        deferred.run();
                    }
                });
            }
        }
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
        Event event = new Event(now + delayNanos, added++, action);
        events.add(event);
        return event;
    }

    /** Runs until nothing is scheduled up to a time. */
    public void runUntil(long nanos) {
        while (!events.isEmpty() && events.peek().at <= nanos) {
            Event event = events.poll();
            if (event.action != null) {
                now = event.at;
                event.action.run();
            }
        }
        now = Math.max(now, nanos);
    }

    /** Runs until nothing is scheduled. */
    public void runAll() {
        while (!events.isEmpty()) {
            runUntil(events.peek().at);
        }
    }
}
