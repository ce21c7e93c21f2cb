package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.SocketPoller;
import io.jverbs.soft.fabric.udp.socket.Sockets;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.ServiceLoop;
import io.jverbs.spi.StackReserve;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the packets of a device and passes them to queue pairs, in bursts, under its lock. A thread that polls an
 * empty completion queue does this in {@link #poll}, and a thread that waits for a completion event in
 * {@link ReceivingWait}. Otherwise the engine's own thread does it, see {@link ReceiveThread}, or a virtual thread in
 * its place, see {@link VirtualReceiver}.
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
    /**
     * How many polls after each burst leave receiving to the thread, or the virtual one, while it serves many threads
     * that wait: each of them looks for more completions before it waits again. If it receives nothing, the next polls
     * do. Polls are skipped only for virtual threads that wait, and sockets that suit a virtual receiver: otherwise the
     * polls of the program spare the engine's thread calls of the system.
     */
    static final int SKIPPED_POLLS = 64;

    private final String name;
    private final Sockets sockets;
    private final DeferredWork.DeferredQueue deferredQueue;
    private final SpinLock lock = new SpinLock();
    // the lock guards the fields below
    private final Dispatcher dispatcher;
    /** How many polls in a row received as many packets as they requested. */
    private int fullPolls;
    /** The latest poll left packets or responses to the next poll. */
    private boolean leftToPoll;
    private final EagerResponses eagerResponses = new EagerResponses();
    // end of the fields that the lock guards
    private final ReceiverRole role = new ReceiverRole();
    private final SocketWait socketWait;
    private final ServiceLoop loop;
    private final ReceiveThread thread;
    private final ReceivingWait completionWait;
    /** How many more polls leave receiving to the thread. Threads may overwrite each other's changes. */
    private int pollsToSkip;
    /** The number of polls that took the lock. */
    private volatile long polls;
    private volatile boolean closed;

    /** What a burst has done. */
    enum Burst {
        /** Nothing, because another thread holds the lock. */
        BUSY,
        /** There were no packets, and no responses to send. */
        NOTHING,
        /** Received packets, or left responses to the next burst. */
        RECEIVED
    }

    ReceiveEngine(Gid gid, String name, Datagrams socket, Sockets sockets, DeferredWork.DeferredQueue deferredQueue) {
        this.name = name;
        this.sockets = sockets;
        this.deferredQueue = deferredQueue;
        this.dispatcher = new Dispatcher(name, gid, socket);
        this.loop = new ServiceLoop(ReceiveEngine.class, "Software device " + name);
        this.socketWait = new SocketWait(lock, role, dispatcher);
        this.thread = new ReceiveThread(this, socketWait, role, loop, sockets);
        this.completionWait = new ReceivingWait(this, socketWait, role);
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
     * Starts the thread that receives while no thread of the program does.
     *
     * @throws IOException if the system refuses to create a poller
     */
    public synchronized void start() throws IOException {
        SocketPoller opened = sockets.poller();
        try {
            opened.add(dispatcher.socket(0));
            socketWait.start(opened);
            thread.start("jverbs-soft-" + name);
        } catch (IOException | RuntimeException | Error e) {
            socketWait.startFailed();
            opened.close();
            throw e;
        }
    }

    /** Adds a socket to receive from. Closes it if that fails. */
    void add(Receiver receiver) throws IOException {
        lock.lock();
        try {
            if (!socketWait.isOpen() || closed) {
                throw new ClosedChannelException();
            }
            socketWait.added(receiver.socket());
            dispatcher.add(receiver);
        } catch (IOException | RuntimeException | Error e) {
            receiver.socket().close();
            socketWait.wake();
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
            socketWait.wake();
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
     * packet. Otherwise a small burst is received. With sockets that suit a virtual receiver, most calls do nothing
     * while many threads wait.
     *
     * @return whether packets were received, or packets or responses are left to the next call
     */
    public boolean poll() {
        int skip = pollsToSkip;
        if (skip > 0 && thread.isServingMany()) {
            pollsToSkip = skip - 1;
            return false;
        }
        return pollAlways();
    }

    /** Receives as {@link #poll()} does, also while many threads wait. */
    boolean pollAlways() {
        return poll(true) == Burst.RECEIVED;
    }

    /** Receives as {@link #poll()} does, for the leader of the threads that wait. */
    Burst pollAsLeader() {
        return poll(false);
    }

    private Burst poll(boolean counts) {
        StackReserve.check();
        Burst result = Burst.BUSY;
        if (lock.tryLock()) {
            try {
                if (counts) {
                    polls = polls + 1;
                }
                dispatcher.sendResponses(true);
                int max = fullPolls < FULL_POLLS_FOR_BURST ? 1 : POLL_BURST;
                int count = dispatcher.receive(max);
                fullPolls = count < max ? 0 : fullPolls + 1;
                if (count != 0 && eagerResponses.mustSend()) {
                    dispatcher.sendResponses(false);
                }
                leftToPoll = dispatcher.isUnfinished();
                result = count != 0 || leftToPoll && counts ? Burst.RECEIVED : Burst.NOTHING;
                if (leftToPoll && counts) {
                    // if no poll follows, the thread sends what is due
                    socketWait.wake();
                }
            } catch (RuntimeException | Error e) {
                // the failure does not concern the polling thread
                loop.logFailure(e);
                result = Burst.NOTHING;
                afterFailure(counts);
            } finally {
                lock.unlock();
            }
            deferredQueue.run();
        }
        return result;
    }

    /** Lets the thread do what a poll has left when it failed. The lock is held. */
    private void afterFailure(boolean counts) {
        assert lock.isHeldByCurrentThread();
        leftToPoll = dispatcher.isUnfinished();
        if (leftToPoll && counts) {
            socketWait.wake();
        }
    }

    /** Returns whether packets or responses are left, or a thread receives at this moment. */
    boolean isUnfinished() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            return dispatcher.isUnfinished();
        } finally {
            lock.unlock();
        }
    }

    /** Sends all responses that are due, before the leader blocks. Returns whether nothing is left to do. */
    boolean finish() {
        if (!lock.tryLock()) {
            return false;
        }
        boolean isDone = false;
        try {
            isDone = !dispatcher.sendResponses(false) && !dispatcher.isUnfinished();
            leftToPoll = !isDone;
        } finally {
            lock.unlock();
        }
        deferredQueue.run();
        return isDone;
    }

    /**
     * Receives a burst of the packets that wait in the sockets. Returns whether there were any. Responses are left to
     * polls and the thread.
     *
     * @param waits whether to wait while another thread holds the lock
     */
    boolean catchUp(boolean waits) {
        try {
            if (waits) {
                lock.lock();
            } else if (!lock.tryLock()) {
                return false;
            }
            try {
                return dispatcher.receive(BURST) != 0;
            } finally {
                try {
                    if (dispatcher.isUnfinished()) {
                        thread.request();
                        socketWait.wake();
                    }
                } finally {
                    lock.unlock();
                    deferredQueue.run();
                }
            }
        } catch (RuntimeException | Error e) {
            loop.logFailure(e);
            return false;
        }
    }

    /** Receives some packets and sends the responses that are due. */
    Burst burst() {
        if (!lock.tryLock()) {
            return Burst.BUSY;
        }
        boolean more;
        try {
            if (leftToPoll) {
                leftToPoll = false;
                eagerResponses.sentByThread();
            }
            // before the burst wakes them
            boolean skipsPolls = sockets.suitVirtualReceiver() && role.hasVirtualFollowers();
            int count = dispatcher.receive(BURST);
            if (count != 0 && skipsPolls) {
                pollsToSkip = SKIPPED_POLLS;
            }
            more = dispatcher.sendResponses(false) || count != 0;
        } finally {
            lock.unlock();
        }
        deferredQueue.run();
        return more ? Burst.RECEIVED : Burst.NOTHING;
    }

    /**
     * Makes the thread receive from now on, if a thread is parked that waits for an event and no thread that waits
     * receives. One that waits later receives by itself, or calls this.
     */
    public void listen() {
        if (role.hasFollowers() && !role.isLed() && !thread.isServingMany()) {
            thread.request();
        }
    }

    /** Returns how threads wait for completion events. */
    EventWait completionWait() {
        return completionWait;
    }

    /** Returns whether a thread that waits may receive: no other threads poll frequently, and not many wait. */
    boolean mayBeLed() {
        return !closed && !thread.isPolled() && !role.hasManyFollowers();
    }

    /** Returns how many polls have taken the lock. */
    long polls() {
        return polls;
    }

    boolean isClosed() {
        return closed;
    }

    ReceiveThread thread() {
        return thread;
    }

    /** Logs that a step of the leader failed, which does not concern the thread that waits. */
    void logFailure(Throwable e) {
        loop.logFailure(e);
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
            thread.request();
            socketWait.wake();
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
            close(socketWait::end);
        } finally {
            lock.unlock();
        }
        thread.wake();
    }

    /** Closes the poller, see {@link SocketWait#closePoller}. */
    void closePoller() {
        lock.lock();
        try {
            close(socketWait::closePoller);
        } finally {
            lock.unlock();
        }
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
