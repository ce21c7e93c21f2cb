package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.OwnThread;
import io.jverbs.spi.StackReserve;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the packets of a device and passes them to queue pairs, in bursts, under its lock. A thread that polls an
 * empty completion queue does this in {@link #poll}. While no thread polls, the engine's own thread does it, and sleeps
 * when there is nothing to receive. While there are polls, this thread checks every two milliseconds that they go on,
 * and the system does not wake it for each packet.
 */
public final class ReceiveEngine {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiveEngine.class);
    /** How many packets of each socket the thread receives in one burst. */
    private static final int BURST = 64;
    /**
     * A smaller burst for polls: an acknowledgement can let many packets be sent, and the poller waits for a
     * completion.
     */
    private static final int POLL_BURST = 8;
    /**
     * How many polls in a row must be full before a poll receives a burst. While two peers alternate requests, a
     * packet, its acknowledgement and the acknowledgement of the packet before may arrive together.
     */
    private static final int FULL_POLLS_FOR_BURST = 4;
    /** How long the thread pauses between two checks while there are polls. */
    private static final long CHECK_NANOS = 2_000_000;
    /** The thread leaves receiving to polls if there were at least this many since its previous check. */
    private static final int FREQUENT_POLLS = 32;
    /** The thread's pause while a poller holds the lock and another thread waits for an event. */
    private static final long BUSY_PAUSE_NANOS = 50_000;
    /**
     * How many polls that receive packets also send all responses, after the thread had to send what an earlier poll
     * left.
     */
    private static final int EAGER_POLLS = 1_000;
    /**
     * How long the thread goes on receiving after the latest packet before it sleeps. Waking it costs the sender about
     * as much as two packets.
     */
    private static final long LINGER_NANOS = 50_000;
    /**
     * After receiving for this long without a pause, the thread ends the registration of the sockets: it will
     * probably not sleep soon, and need not be woken.
     */
    private static final long STEADY_NANOS = 1_000_000;

    private final String name;
    private final Sockets sockets;
    private final DeferredWork.DeferredQueue deferredQueue;
    private final SpinLock lock = new SpinLock();
    // the lock guards the fields below
    private final Dispatcher dispatcher;
    /** How many polls in a row received as many packets as they asked for. */
    private int fullPolls;
    /** The latest poll left packets or responses to the next poll. */
    private boolean leftToPoll;
    /** How many more polls that receive packets also send all responses. */
    private int eagerPolls;
    /** The poller in which the thread sleeps; null before the thread starts and after it ends. */
    private SocketPoller poller;
    // end of the fields that the lock guards
    private Thread thread;
    private final OwnThread ownThread;
    /** The number of polls that took the lock. */
    private volatile long polls;
    /** A caller of {@link #listen} waits or is about to wait for an event. */
    private volatile boolean listenRequested;
    /** Changed with the lock held, except to and from ASLEEP. */
    private volatile RegistrationState state = RegistrationState.UNREGISTERED;
    private volatile boolean closed;

    ReceiveEngine(Gid gid, String name, Datagrams socket, Sockets sockets, DeferredWork.DeferredQueue deferredQueue) {
        this.name = name;
        this.sockets = sockets;
        this.deferredQueue = deferredQueue;
        this.dispatcher = new Dispatcher(name, gid, socket);
        this.ownThread = new OwnThread(ReceiveEngine.class, "Software device " + name);
    }

    /**
     * Sets the port whose queue pairs receive the packets. Nothing may be received before.
     *
     * @param port the port
     * @param outbox sends the responses of the queue pairs, those of one turn together
     */
    void serve(SoftPort port, Outbox outbox) {
        lock.lock();
        dispatcher.serve(port, outbox);
        lock.unlock();
    }

    /**
     * Starts the thread that receives while no thread polls.
     *
     * @throws IOException if the system refuses to create a poller
     */
    public synchronized void start() throws IOException {
        SocketPoller opened = sockets.poller();
        try {
            opened.add(dispatcher.socket(0));
            poller(opened);
            Thread made = OwnThread.unstarted("jverbs-soft-" + name, ReceiveEngine.class, this::run);
            made.start();
            thread = made;
        } catch (IOException | RuntimeException | Error e) {
            poller(null);
            opened.close();
            throw e;
        }
    }

    private void poller(SocketPoller changed) {
        lock.lock();
        poller = changed;
        state = changed == null ? RegistrationState.UNREGISTERED : RegistrationState.REGISTERED;
        lock.unlock();
    }

    /** Adds a socket to receive from. Closes it if that fails. */
    void add(Receiver receiver) throws IOException {
        lock.lock();
        try {
            if (poller == null || closed) {
                throw new ClosedChannelException();
            }
            if (state != RegistrationState.UNREGISTERED) {
                poller.add(receiver.socket());
            }
            dispatcher.add(receiver);
        } catch (IOException | RuntimeException | Error e) {
            receiver.socket().close();
            wakeIfAsleep();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Sets the tap for packets that are received from now on; null for none. */
    void tap(Tap changed) {
        lock.lock();
        try {
            dispatcher.tap(changed);
        } finally {
            lock.unlock();
        }
    }

    /** Removes a socket to receive from, and closes it. */
    void remove(Receiver receiver) throws IOException {
        lock.lock();
        try {
            dispatcher.remove(receiver);
            receiver.socket().close();
            wakeIfAsleep();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Receives packets, unless another thread is receiving. Called by threads that poll an empty completion queue, and
     * hold no lock.
     *
     * <p>
     * If earlier polls were not full, one packet is received. The caller can then process its completion, and post a
     * response, before the next call sends the packet's acknowledgement; no time is spent on looking for another
     * packet. Otherwise a small burst is received.
     */
    public void poll() {
        StackReserve.check();
        if (lock.tryLock()) {
            try {
                polls = polls + 1;
                dispatcher.sendResponses(true);
                int max = fullPolls < FULL_POLLS_FOR_BURST ? 1 : POLL_BURST;
                int count = dispatcher.receive(max);
                fullPolls = count < max ? 0 : fullPolls + 1;
                if (count != 0 && eagerPolls > 0) {
                    eagerPolls--;
                    dispatcher.sendResponses(false);
                }
                leftToPoll = dispatcher.isUnfinished();
                if (leftToPoll) {
                    // if no poll follows, the thread sends what is due
                    wakeIfAsleep();
                }
            } catch (RuntimeException | Error e) {
                // the failure does not concern the polling thread
                ownThread.logFailure(e);
            } finally {
                lock.unlock();
            }
            deferredQueue.run();
        }
    }

    /**
     * Wakes the thread if it sleeps. A thread that is about to sleep notices new work by itself. Called with the lock
     * held, also after a socket was closed: a selector closes the file of a closed channel when it selects again.
     */
    private void wakeIfAsleep() {
        assert lock.isHeldByCurrentThread();
        if (state == RegistrationState.ASLEEP && poller != null) {
            poller.wakeup();
        }
    }

    /**
     * Receives a burst of the packets that wait in the sockets. Returns whether there were any. Responses are left to
     * polls and the thread.
     */
    boolean catchUp() {
        try {
            boolean any;
            lock.lock();
            try {
                any = dispatcher.receive(BURST) != 0;
                if (dispatcher.isUnfinished()) {
                    listen();
                    wakeIfAsleep();
                }
            } finally {
                lock.unlock();
            }
            deferredQueue.run();
            return any;
        } catch (RuntimeException | Error e) {
            ownThread.logFailure(e);
            return false;
        }
    }

    /** Makes the thread receive from now on: the caller is about to wait for an event. */
    public void listen() {
        listenRequested = true;
        LockSupport.unpark(thread);
    }

    /** Receives until the engine is closed. The thread sees the poller that was set before it was started. */
    private void run() {
        SocketPoller threadPoller = poller;
        long seen = 0;
        while (!closed) {
            long now = polls;
            boolean polled = now - seen >= FREQUENT_POLLS;
            seen = now;
            try {
                ownThread.begin();
                if (polled && !listenRequested) {
                    registerSockets(false);
                    LockSupport.parkNanos(CHECK_NANOS);
                } else {
                    receiveOrPark(threadPoller, now);
                }
                ownThread.passed();
            } catch (IOException | RuntimeException | Error e) {
                if (!closed) {
                    ownThread.failed(e);
                }
            }
        }
        try {
            closePoller(threadPoller);
        } catch (RuntimeException | Error e) {
            // once more, because nobody else closes it
            closePoller(threadPoller);
        }
    }

    /** Closes the poller. Its thread no longer waits, and the lock keeps other threads from waking it. */
    private void closePoller(SocketPoller threadPoller) {
        lock.lock();
        try {
            poller = null;
            close(threadPoller::close);
        } finally {
            lock.unlock();
        }
    }

    private void receiveOrPark(SocketPoller threadPoller, long pollsSeen) throws IOException {
        boolean asked = listenRequested;
        listenRequested = false;
        if (drain()) {
            sleep(threadPoller, pollsSeen);
        } else if (asked) {
            listenRequested = true;
            LockSupport.parkNanos(BUSY_PAUSE_NANOS);
        } else {
            LockSupport.parkNanos(CHECK_NANOS);
        }
    }

    /** Registers the sockets with the poller, or ends that. Called by the thread while it does not sleep. */
    private void registerSockets(boolean registered) throws IOException {
        if ((state != RegistrationState.UNREGISTERED) == registered) {
            return;
        }
        lock.lock();
        try {
            // in case the loop fails half way
            state = RegistrationState.UNREGISTERED;
            for (int i = 0; i < dispatcher.count() && !closed; i++) {
                if (registered) {
                    poller.add(dispatcher.socket(i));
                } else {
                    poller.remove(dispatcher.socket(i));
                }
            }
            state = registered ? RegistrationState.REGISTERED : RegistrationState.UNREGISTERED;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sleeps until a packet arrives, unless there was a poll since {@code pollsSeen}, which may have left something to
     * do.
     */
    private void sleep(SocketPoller threadPoller, long pollsSeen) throws IOException {
        registerSockets(true);
        state = RegistrationState.ASLEEP;
        try {
            if (polls == pollsSeen && !listenRequested && !closed) {
                threadPoller.await();
            }
        } finally {
            state = RegistrationState.REGISTERED;
        }
    }

    /** Receives until nothing has arrived for a while. Returns false if another thread holds the lock. */
    private boolean drain() throws IOException {
        long began = System.nanoTime();
        long latest = began;
        boolean received = false;
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
            deferredQueue.run();
            if (more) {
                received = true;
                latest = System.nanoTime();
                if (latest - began > STEADY_NANOS) {
                    registerSockets(false);
                }
            } else if (!received || System.nanoTime() - latest > LINGER_NANOS) {
                return true;
            } else {
                Thread.onSpinWait();
            }
        }
        return true;
    }

    /** Receives some packets and sends the responses that are due. Returns whether there was anything to do. */
    private boolean burst() {
        if (leftToPoll) {
            leftToPoll = false;
            eagerPolls = EAGER_POLLS;
        }
        int count = dispatcher.receive(BURST);
        return dispatcher.sendResponses(false) || count != 0;
    }

    /** Waits until the thread that is receiving at this moment, if any, has sent the responses that are due. */
    void awaitTurn() {
        lock.awaitRelease();
    }

    /** Notes that a queue pair has responses to send after this burst; called within the burst. */
    void scheduleResponses(SoftQp qp) {
        dispatcher.scheduleResponses(qp);
    }

    /**
     * Notes that a queue pair has responses to send; called outside a burst. The engine's thread sends them, unless a
     * poll does so first.
     */
    void scheduleResponsesNow(SoftQp qp) {
        lock.lock();
        try {
            dispatcher.scheduleResponses(qp);
            listen();
            wakeIfAsleep();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the sockets. The thread ends soon afterwards. */
    synchronized void close() {
        closed = true;
        lock.lock();
        try {
            for (int i = 0; i < dispatcher.count(); i++) {
                close(dispatcher.socket(i)::close);
            }
            if (poller != null) {
                close(poller::end);
            }
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(thread);
    }

    /** Closes something. A failure is logged, and does not keep the rest from being closed. */
    private void close(Closeable closing) {
        try {
            closing.close();
        } catch (IOException e) {
            LOG.debug("Software device {} could not close a socket or its poller", name, e);
        }
    }
}
