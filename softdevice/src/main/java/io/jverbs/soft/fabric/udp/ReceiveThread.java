package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.fabric.udp.socket.Sockets;
import io.jverbs.spi.ServiceLoop;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The thread of a {@link ReceiveEngine}, which receives while no thread of the program does. It blocks in the poller
 * of the sockets when there is nothing to receive. While threads of the program poll or wait, it checks every two
 * milliseconds whether they still do, and less often while they poll, see {@link CheckPause}. The system does not wake
 * it for each packet. While several virtual threads wait, it leaves receiving to the {@link VirtualReceiver}.
 */
final class ReceiveThread {
    /** How long the thread pauses between two checks while others receive; if they poll, see {@link CheckPause}. */
    static final long CHECK_NANOS = CheckPause.SHORTEST_NANOS;
    /** The thread leaves receiving to polls if there were at least this many in each {@link #CHECK_NANOS}. */
    static final int FREQUENT_POLLS = 32;
    /** The pause while a poller holds the lock and another thread waits for an event. */
    private static final long BUSY_PAUSE_NANOS = 50_000;
    /**
     * How long the thread continues to receive after the latest packet before it blocks. Waking it costs the sender
     * about as much as two packets.
     */
    private static final long LINGER_NANOS = 50_000;
    /**
     * After receiving for this long without a pause, the thread ends the registration of the sockets: it will
     * probably not block soon, and need not be woken.
     */
    private static final long STEADY_NANOS = 1_000_000;

    private final ReceiveEngine engine;
    private final SocketWait socketWait;
    private final ReceiverRole role;
    private final ServiceLoop loop;
    private final VirtualReceiver virtualReceiver;
    private final BooleanSupplier isIdle = this::isIdle;
    private Thread thread;
    private volatile boolean polledBesideLeader;
    /** A caller of {@link #request} waits or is about to wait for an event. */
    private volatile boolean mustReceive;
    /** The thread, or the virtual one, receives for many followers, which need not call {@link #request}. */
    private volatile boolean servesMany;
    // only the thread uses the fields below
    /** Virtual threads have waited since the latest check, for which a virtual thread could receive. */
    private boolean servesVirtualThreads;
    /** The number of terms of leaders at the latest check. */
    private long termsSeen;
    /** The number of polls at the latest check. */
    private long pollsSeen;
    /** The time of the latest check. */
    private long checkedAt = System.nanoTime();
    /** The pause between two checks while threads poll. */
    private final CheckPause polledPause = new CheckPause();
    /** The time of the latest check at which the number of terms had changed. */
    private long leaderSeenAt = System.nanoTime() - CHECK_NANOS;

    /** What the thread does, decided at each check. */
    private enum Mode {
        /** Receives, and blocks in the poller when there is nothing to receive. */
        RECEIVES,
        /** Polls are frequent: the thread pauses until the next check. */
        POLLED,
        /** A thread that waits receives, or has received since the last check and is expected to continue: as above. */
        LED,
        /** The virtual receiver receives: as above. */
        VIRTUAL
    }

    ReceiveThread(ReceiveEngine engine, SocketWait socketWait, ReceiverRole role, ServiceLoop loop,
            Sockets sockets) {
        this.engine = engine;
        this.socketWait = socketWait;
        this.role = role;
        this.loop = loop;
        this.virtualReceiver = new VirtualReceiver(engine, this, socketWait, role, sockets);
    }

    /** Starts the thread. */
    void start(String name) {
        Thread made = ServiceLoop.unstarted(name, ReceiveEngine.class, this::run);
        role.deviceThread(made);
        // before the start: the thread makes others wake it
        thread = made;
        made.start();
    }

    /** Makes the thread receive from now on. */
    void request() {
        mustReceive = true;
        LockSupport.unpark(thread);
    }

    /** Returns whether a leader has found that other threads poll frequently, and they have not stopped since. */
    boolean isPolled() {
        return polledBesideLeader;
    }

    /** Called by the leader when it has found that other threads poll frequently. */
    void polled() {
        polledBesideLeader = true;
        LockSupport.unpark(thread);
    }

    /** Wakes the thread so that it notices the close. */
    void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!engine.isClosed()) {
            try {
                loop.begin();
                Mode mode = check();
                switch (mode) {
                    case RECEIVES -> receiveOrPark();
                    case POLLED -> {
                        socketWait.unregister();
                        LockSupport.parkNanos(polledPause.nanos());
                    }
                    case LED -> LockSupport.parkNanos(CHECK_NANOS);
                    case VIRTUAL -> LockSupport.parkNanos(virtualReceiver.nanosUntilLate(System.nanoTime()));
                }
                loop.passed();
            } catch (IOException | RuntimeException | Error e) {
                if (!engine.isClosed()) {
                    loop.failed(e);
                }
            }
        }
        while (!role.take()) {
            try {
                // a thread that waits blocks in the poller, and then finds that the engine is closed
                socketWait.wakeOther();
                LockSupport.parkNanos(ReceiverRole.HANDOVER_NANOS);
            } catch (RuntimeException | Error e) {
                // again, because no other thread closes the poller
            }
        }
        try {
            engine.closePoller();
        } catch (RuntimeException | Error e) {
            // once more, because no other thread closes it
            engine.closePoller();
        } finally {
            try {
                virtualReceiver.end();
            } catch (RuntimeException | Error e) {
                // once more, because no other thread ends it
                virtualReceiver.end();
            }
        }
    }

    /** Decides what to do until the next check. */
    private Mode check() {
        boolean servedMany = servesMany;
        // before the role and the followers are read: one that comes later, and a leader that leaves, sees it
        servesMany = false;
        long polls = engine.polls();
        long now = System.nanoTime();
        boolean polled = polls - pollsSeen >= FREQUENT_POLLS * Math.max(1, (now - checkedAt) / CHECK_NANOS);
        pollsSeen = polls;
        checkedAt = now;
        polledPause.checked(polled);
        polledBesideLeader &= polled;
        long terms = role.terms();
        if (terms != termsSeen) {
            termsSeen = terms;
            leaderSeenAt = now;
        }
        boolean leaderActive = now - leaderSeenAt < CHECK_NANOS;
        boolean must = takeMustReceive();
        if (virtualReceiver.mayContinue(now) && !role.isLed()) {
            // a leader that is expected comes without this thread, which does not block
            role.takeLeaderExpected();
            servesMany = true;
            return Mode.VIRTUAL;
        }
        must |= virtualReceiver.stop(now);
        if (role.isLed() || role.takeLeaderExpected() && !role.hasManyFollowers()) {
            // the polls may be those of threads that wait when they have found nothing
            return Mode.LED;
        }
        if (must) {
            mustReceive = true;
        }
        // before the followers are counted: if those that count are virtual, it is true
        servesVirtualThreads = virtualThreadsWait();
        servesMany = mustServeMany(servedMany);
        if (mustReceive || servesMany || !leaderActive && !polled) {
            return Mode.RECEIVES;
        }
        return leaderActive ? Mode.LED : Mode.POLLED;
    }

    private boolean mustServeMany(boolean servedMany) {
        // the last of many followers has not called request either
        return role.hasManyFollowers() || servedMany && role.hasFollowers();
    }

    /** Returns whether virtual threads wait, for which a virtual thread could receive. */
    private boolean virtualThreadsWait() {
        return virtualReceiver.isPossible() && role.hasVirtualFollowers();
    }

    /** Returns whether the thread receives for many followers, and need not be requested to. */
    boolean isServingMany() {
        return servesMany;
    }

    /** Returns whether the thread leaves receiving to the virtual one. */
    boolean isVirtualActive() {
        return virtualReceiver.isActive();
    }

    private void receiveOrPark() throws IOException {
        boolean must = takeMustReceive();
        if (drain()) {
            block();
            return;
        }
        if (virtualReceiver.isActive()) {
            LockSupport.parkNanos(CHECK_NANOS);
            return;
        }
        if (must) {
            mustReceive = true;
        }
        LockSupport.parkNanos(must || role.hasFollowers() ? BUSY_PAUSE_NANOS : CHECK_NANOS);
    }

    /** Returns whether {@link #request} was called since the last call. Writes only then, to lose no later request. */
    private boolean takeMustReceive() {
        boolean result = mustReceive;
        if (result) {
            mustReceive = false;
        }
        return result;
    }

    private void block() throws IOException {
        if (role.take()) {
            try {
                socketWait.block(0, isIdle);
            } finally {
                role.give();
            }
        }
    }

    /** Returns whether there is nothing to do: no poll and no leader since the check has left anything, no request. */
    private boolean isIdle() {
        return engine.polls() == pollsSeen && role.terms() == termsSeen && !role.isLeaderExpected() && !mustReceive
                && !engine.isClosed() && !engine.isUnfinished();
    }

    /** Receives until nothing has arrived for a while. Returns false if another thread receives. */
    private boolean drain() throws IOException {
        long began = System.nanoTime();
        long latest = began;
        long checked = began;
        boolean received = false;
        while (!engine.isClosed() && !role.isLed() && !role.isLeaderExpected()) {
            // before the burst wakes them
            boolean manyVirtualThreadsWait = role.hasManyVirtualFollowers();
            servesVirtualThreads |= virtualThreadsWait();
            switch (engine.burst()) {
                case BUSY -> {
                    if (!servesMany || servesVirtualThreads && System.nanoTime() - latest > LINGER_NANOS) {
                        // a virtual thread that holds the lock may have been unmounted
                        return false;
                    }
                    // the holder of the lock may need this processor
                    Thread.yield();
                }
                case RECEIVED -> {
                    received = true;
                    latest = System.nanoTime();
                    if (manyVirtualThreadsWait && virtualReceiver.mayBegin(latest)) {
                        servesMany = true;
                        virtualReceiver.begin(latest);
                        return false;
                    }
                    if (servesMany && servesVirtualThreads && latest - checked > CHECK_NANOS) {
                        // as soon as none of them waits, polls shall not be skipped any more
                        checked = latest;
                        // before the followers are counted, as in a check
                        servesMany = false;
                        servesMany = mustServeMany(true);
                    }
                    if (latest - began > STEADY_NANOS) {
                        socketWait.unregister();
                    }
                }
                case NOTHING -> {
                    if (!received || System.nanoTime() - latest > LINGER_NANOS) {
                        return true;
                    }
                    // the next packet may come from a thread that waits for this processor
                    Thread.yield();
                }
            }
        }
        return true;
    }
}
