package io.jverbs.soft.simulation;

import io.jverbs.soft.queue.Deferral;
import java.util.concurrent.locks.ReentrantLock;

/** Who has something happen: one thread at a time. */
final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private final Schedule schedule;
    private final Deferral.Agenda agenda;

    Turn(Schedule schedule, Deferral.Agenda agenda) {
        this.schedule = schedule;
        this.agenda = agenda;
    }

    /** Has the next thing happen; false if nothing is due by then. The caller holds no lock. */
    boolean take(long until) {
        lock.lock();
        return taken(until);
    }

    /** As {@link #take}, unless another thread is at it. */
    boolean tryTake(long until) {
        return lock.tryLock() && taken(until);
    }

    /** Uses the turn, which is held, and gives it up. */
    private boolean taken(long until) {
        boolean happened;
        try {
            happened = happen(until);
        } finally {
            lock.unlock();
        }
        agenda.run();
        return happened;
    }

    private boolean happen(long until) {
        Happening next = schedule.next(until);
        if (next == null) {
            return false;
        }
        next.happen();
        return true;
    }
}
