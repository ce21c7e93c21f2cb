package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.queue.Deferral;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.Tap;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives packets and hands them to queue pairs, in bursts, under its lock: by whoever polls an empty completion queue, or,
 * when nobody does, by a thread that otherwise sleeps. While pollers help, the thread looks every two milliseconds whether they
 * still do, and does not ask the system to wake it for each packet that they take.
 */
public final class Engine {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final int BURST = 64;
    /** Fewer for pollers: an acknowledgement can let many packets go, and they wait for a completion. */
    private static final int POLLERS_BURST = 8;
    /** In a conversation there may be a packet, its acknowledgement and one for the packet before. */
    private static final int FOUND_IN_PASSING = 4;
    private static final long LOOK_NANOS = 2_000_000;
    /** Who polls less often than so many times between two looks does not receive for the thread. */
    private static final int FREQUENT = 32;
    /** The thread's pause while a poller is at it and somebody waits. */
    private static final long PAUSE_NANOS = 50_000;
    /** So many times pollers leave nothing, once the thread has had to send what one of them left. */
    private static final int EAGER = 1_000;
    /** How long the thread goes on looking after a packet before it sleeps: to wake it costs the sender about as much as two packets. */
    private static final long LINGER_NANOS = 50_000;
    /** Who has received for so long without a pause will probably not sleep soon, and has no use for being woken. */
    private static final long STEADY_NANOS = 1_000_000;

    private final String name;
    private final Sockets sockets;
    private final Deferral.Agenda agenda;
    private final SpinLock lock = new SpinLock();
    // all below is guarded by the lock
    private final Reception reception;
    /** How many helpers in a row have found all the packets that they looked for. */
    private int found;
    /** A poller has left something to be taken or sent with its next call. */
    private boolean leftToPoller;
    /** How many times more pollers leave nothing. */
    private int eager;
    /** What the thread sleeps in; null before it is there, and when it has gone. */
    private Watch watch;
    /** The sockets are in it: each packet costs its sender a part of a microsecond more, so only while the thread may sleep. */
    private boolean watching;
    // end of what the lock guards
    private Thread thread;
    /** Counts bursts of pollers; approximately. */
    private volatile long helps;
    private volatile boolean wanted;
    /** The thread sleeps, or is about to. */
    private volatile boolean sleeping;
    private volatile boolean closed;

    Engine(Gid gid, String name, Datagrams socket, Sockets sockets, Deferral.Agenda agenda) {
        this.name = name;
        this.sockets = sockets;
        this.agenda = agenda;
        this.reception = new Reception(name, gid, socket);
    }

    /**
     * Says whose packets these are; before that nothing may be received.
     *
     * @param behind the port whose queue pairs packets are for
     * @param outbox where their answers leave, those of one turn together
     */
    void serve(SoftPort behind, Outbox outbox) {
        lock.lock();
        reception.serve(behind, outbox);
        lock.unlock();
    }

    /**
     * Starts the thread that receives while nobody polls.
     *
     * @throws IOException if the system has nothing to wait with
     */
    public synchronized void start() throws IOException {
        Watch opened = sockets.watch();
        try {
            opened.add(reception.socket(0));
            watch(opened);
            thread = Thread.ofPlatform().daemon().name("jverbs-soft-" + name).start(() -> run(opened));
        } catch (IOException | RuntimeException | Error e) {
            watch(null);
            opened.close();
            throw e;
        }
    }

    private void watch(Watch changed) {
        lock.lock();
        watch = changed;
        watching = changed != null;
        lock.unlock();
    }

    /** Receives from one more socket, or closes it. */
    void add(Receiver receiver) throws IOException {
        lock.lock();
        try {
            if (watch == null || closed) {
                throw new ClosedChannelException();
            }
            if (watching) {
                watch.add(receiver.socket());
            }
            reception.add(receiver);
        } catch (IOException | RuntimeException | Error e) {
            receiver.socket().close();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Says who looks at packets that are received from now on; null for nobody. */
    void tap(Tap changed) {
        lock.lock();
        reception.tap(changed);
        lock.unlock();
    }

    /** Receives no more from a socket, and closes it. */
    void remove(Receiver receiver) throws IOException {
        lock.lock();
        try {
            reception.remove(receiver);
            receiver.socket().close();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Receives, if nobody else does so already; for pollers of empty queues, who hold no lock. One packet after silence, so that
     * its completion is polled and answered before its acknowledgement, which goes with the next call, and nobody looks in vain for
     * another one meanwhile; more while they come.
     */
    public void help() {
        if (lock.tryLock()) {
            try {
                helps = helps + 1;
                reception.pump(true);
                int most = found < FOUND_IN_PASSING ? 1 : POLLERS_BURST;
                int count = reception.receive(most);
                found = count < most ? 0 : found + 1;
                if (count != 0 && eager > 0) {
                    eager--;
                    reception.pump(false);
                }
                leftToPoller = reception.isUnfinished();
                if (leftToPoller) {
                    // should this poller not come again, the thread sends what is due
                    wakeIfAsleep();
                }
            } finally {
                lock.unlock();
            }
            agenda.run();
        }
    }

    /** Wakes the thread, which has seen to it by itself if it does not sleep yet; with the lock held. */
    private void wakeIfAsleep() {
        if (sleeping && watch != null) {
            watch.wakeup();
        }
    }

    /** Receives a burst of what waits in the sockets; whether there was anything. What is due for it is left to pollers and the thread. */
    boolean catchUp() {
        try {
            boolean any;
            lock.lock();
            try {
                any = reception.receive(BURST) != 0;
                if (reception.isUnfinished()) {
                    listen();
                    wakeIfAsleep();
                }
            } finally {
                lock.unlock();
            }
            agenda.run();
            return any;
        } catch (RuntimeException | Error e) {
            goesOn(e);
            return false;
        }
    }

    /** Has the thread listen from now on: somebody is about to wait. */
    public void listen() {
        wanted = true;
        LockSupport.unpark(thread);
    }

    private void run(Watch mine) {
        long seen = 0;
        while (!closed) {
            long now = helps;
            boolean helped = now - seen >= FREQUENT;
            seen = now;
            try {
                if (helped && !wanted) {
                    watchSockets(false);
                    LockSupport.parkNanos(LOOK_NANOS);
                } else {
                    serve(mine, now);
                }
            } catch (IOException | RuntimeException | Error e) {
                if (!closed) {
                    goesOn(e);
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            }
        }
        leave(mine);
    }

    private void goesOn(Throwable after) {
        LOG.warn("Software device {} goes on after an unexpected failure", name, after);
    }

    /** Nobody waits any more, and with the lock nobody wakes. */
    private void leave(Watch mine) {
        lock.lock();
        try {
            watch = null;
            close(mine::close);
        } finally {
            lock.unlock();
        }
    }

    private void serve(Watch mine, long helpsSeen) throws IOException {
        boolean asked = wanted;
        wanted = false;
        if (drain()) {
            sleep(mine, helpsSeen);
        } else if (asked) {
            wanted = true;
            LockSupport.parkNanos(PAUSE_NANOS);
        } else {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Has the sockets watched, or not; by the thread, while it does not sleep. */
    private void watchSockets(boolean wished) throws IOException {
        if (watching == wished) {
            return;
        }
        lock.lock();
        try {
            // should a part of it fail
            watching = false;
            for (int i = 0; i < reception.count() && !closed; i++) {
                if (wished) {
                    watch.add(reception.socket(i));
                } else {
                    watch.remove(reception.socket(i));
                }
            }
            watching = wished;
        } finally {
            lock.unlock();
        }
    }

    /** Sleeps until a packet comes; not if a poller has come since, who may have left something to do. */
    private void sleep(Watch mine, long helpsSeen) throws IOException {
        watchSockets(true);
        sleeping = true;
        try {
            if (helps == helpsSeen && !wanted && !closed) {
                mine.await();
            }
        } finally {
            sleeping = false;
        }
    }

    /** Receives until nothing has come for a while; false if a poller is at it. */
    private boolean drain() throws IOException {
        long began = System.nanoTime();
        long latest = began;
        boolean found = false;
        while (!closed) {
            if (!lock.tryLock()) {
                return false;
            }
            boolean more;
            try {
                more = burst();
            } finally {
                lock.unlock();
            }
            agenda.run();
            if (more) {
                found = true;
                latest = System.nanoTime();
                if (latest - began > STEADY_NANOS) {
                    watchSockets(false);
                }
            } else if (!found || System.nanoTime() - latest > LINGER_NANOS) {
                return true;
            } else {
                Thread.onSpinWait();
            }
        }
        return true;
    }

    /** Receives some packets and sends what is due for them; whether there was anything to do. */
    private boolean burst() {
        if (leftToPoller) {
            leftToPoller = false;
            eager = EAGER;
        }
        int count = reception.receive(BURST);
        return reception.pump(false) || count != 0;
    }

    /** Waits until whoever receives at this moment has sent what is due for it. */
    void awaitTurn() {
        lock.awaitRelease();
    }

    /** Notes that a queue pair has something to send after this burst; called within it. */
    void pumpLater(SoftQp qp) {
        reception.pumpLater(qp);
    }

    /** Closes the sockets; the thread leaves soon. */
    synchronized void close() {
        closed = true;
        lock.lock();
        try {
            for (int i = 0; i < reception.count(); i++) {
                close(reception.socket(i)::close);
            }
            if (watch != null) {
                close(watch::end);
            }
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(thread);
    }

    /** Gives something back; if the system refuses, all else is given back all the same. */
    private void close(Closeable closing) {
        try {
            closing.close();
        } catch (IOException e) {
            LOG.debug("Closing software device {}", name, e);
        }
    }
}
