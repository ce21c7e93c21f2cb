package io.jverbs.soft.fabric.udp;

import io.jverbs.soft.fabric.udp.socket.Sockets;
import io.jverbs.soft.queue.ProcessorYield;
import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread that receives while several virtual threads wait for events. It runs on their carriers: the thread
 * that has received a packet usually wakes the one that waits for it without a call of the system. It yields after each
 * burst, so that the woken threads run before the next one. It never blocks in the poller: if several bursts in a row
 * find nothing for 50 us, the device's thread receives again, and blocks there.
 *
 * <pre>
 * state      begin    nothing to receive, or a failure   stop, or late   the engine closes
 * inactive   active   -                                  -               ended
 * active     -        inactive                           inactive        ended
 * </pre>
 * <ul>
 * <li>begin: the device's thread has received a packet, at least two virtual threads wait, and no thread leads. After
 * that, the device's thread sleeps until the next check.
 * <li>nothing to receive, or a failure: the virtual thread becomes inactive and then wakes the device's thread, from
 * its sleep or the poller. Also done after a stop, since its last burst may have left packets or responses.
 * <li>stop: at a check, no virtual thread waits, or a thread leads.
 * <li>late: there was no burst for two milliseconds, because other virtual threads occupy the carriers. The device's
 * thread notices it at this time, receives as without this class, and begins again after a pause, which grows with each
 * failure in a row.
 * <li>the engine closes: the virtual thread ends, woken by the device's thread if it is inactive.
 * </ul>
 * Both threads change the state, with no lock. If both do at the same time, the result is inactive with the device's
 * thread awake, or active with the virtual thread awake. Two threads that receive for a moment are harmless: each burst
 * takes the engine's lock. If an Error keeps either thread from a step, the device's thread sleeps until the virtual
 * one is late at most, or blocks in the poller, from which packets wake it. If two Errors keep the virtual thread from
 * waking it after a stop, what the last burst has left waits for the next packet or poll: packets that were taken from
 * a socket, and responses.
 *
 * <p>
 * It is seldom unmounted while it holds the engine's lock, or while it performs deferred work, such as to add an event:
 * the receive calls wait for no lock for which it would park, and before it yields or parks for another lock, it spins,
 * or lets other threads have the processor (see {@link io.jverbs.soft.queue.SpinLock} and
 * {@link io.jverbs.soft.fabric.WaitQueue}). If it is unmounted with the engine's lock, the device's thread and polls
 * find the lock held until it runs again, and nothing is received. If it is unmounted in deferred work, the event of
 * one queue may be added late; the device's thread performs the rest. To wake threads of a scheduler other than the
 * JDK's needs a call of the system, as from the device's thread. Methods are for the device's thread only.
 */
final class VirtualReceiver {
    /** The device's thread receives after this many bursts in a row that find nothing, and this time. */
    private static final int MAX_IDLE_BURSTS = 4;
    /** Shorter, the two threads wake each other for many of the packets, which costs calls of the system. */
    private static final long LINGER_NANOS = 50_000;
    /**
     * After this time it parks for a moment instead of a yield: a carrier whose thread only yields may take no thread
     * that was made ready from outside its scheduler.
     */
    private static final long BETWEEN_PARKS_NANOS = ReceiveThread.CHECK_NANOS;
    /** With no burst for this long, it is late. */
    private static final long LATE_NANOS = ReceiveThread.CHECK_NANOS;
    /** While it is inactive, it parks for this long at a time. */
    private static final long INACTIVE_PARK_NANOS = 1_000_000_000;
    /** The pause after it was late or has failed, unless it was or had the time before. */
    private static final long SHORTEST_PAUSE_NANOS = 4_000_000;
    private static final long LONGEST_PAUSE_NANOS = 256_000_000;

    private final ReceiveEngine engine;
    private final ReceiveThread deviceThread;
    private final SocketWait socketWait;
    private final ReceiverRole role;
    private final Sockets sockets;
    private volatile boolean active;
    /** When it began, or the latest burst. */
    private volatile long latestBurst;
    /** It has failed since it began. */
    private volatile boolean failed;
    // only the device's thread uses the fields below
    /** Null before the first begin. */
    private Thread thread;
    private long pauseNanos = SHORTEST_PAUSE_NANOS;
    private long pauseEnd;
    /** There was a pause since it began. */
    private boolean paused;

    VirtualReceiver(ReceiveEngine engine, ReceiveThread deviceThread, SocketWait socketWait, ReceiverRole role,
            Sockets sockets) {
        this.engine = engine;
        this.deviceThread = deviceThread;
        this.socketWait = socketWait;
        this.role = role;
        this.sockets = sockets;
    }

    /** Returns whether it can receive from the sockets of the device. */
    boolean isPossible() {
        return sockets.suitVirtualReceiver();
    }

    /** Returns whether it may begin to receive, if virtual threads wait. */
    boolean mayBegin(long now) {
        if (failed) {
            failed = false;
            if (!paused) {
                pause(now);
            }
        }
        return isPossible() && (!paused || now - pauseEnd >= 0);
    }

    /** Makes the virtual thread receive. If that fails, it is late soon. */
    void begin(long now) {
        if (!paused) {
            pauseNanos = SHORTEST_PAUSE_NANOS;
        }
        paused = false;
        latestBurst = now;
        active = true;
        if (thread == null || !thread.isAlive()) {
            // it has also ended if an Error was thrown while another one was handled
            thread = Thread.ofVirtual().name(Thread.currentThread().getName() + "-virtual")
                    .inheritInheritableThreadLocals(false)
                    .uncaughtExceptionHandler((ended, failure) -> engine.logFailure(failure)).unstarted(this::run);
            thread.start();
        } else {
            LockSupport.unpark(thread);
        }
    }

    /** Returns whether the virtual thread receives. */
    boolean isActive() {
        return active;
    }

    /** Returns whether it is active, not late, and virtual threads wait. */
    boolean mayContinue(long now) {
        return active && nanosUntilLate(now) > 0 && role.hasVirtualFollowers();
    }

    /** Returns the time until it is late unless there is another burst; not positive if it is late. */
    long nanosUntilLate(long now) {
        return LATE_NANOS - (now - latestBurst);
    }

    /** Stops it if it is active. Returns whether it was. */
    boolean stop(long now) {
        if (!active) {
            return false;
        }
        active = false;
        if (nanosUntilLate(now) <= 0) {
            pause(now);
        }
        return true;
    }

    private void pause(long now) {
        paused = true;
        pauseEnd = now + pauseNanos;
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }

    /** Makes the virtual thread end. The engine is closed. The call can be repeated after an Error. */
    void end() {
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!engine.isClosed()) {
            try {
                if (active) {
                    receive();
                    handOver();
                } else {
                    // without memory, it parks on its carrier, and occupies it
                    LockSupport.parkNanos(this, INACTIVE_PARK_NANOS);
                }
                // with it, park would return at once
                Thread.interrupted();
            } catch (RuntimeException | Error e) {
                failed = true;
                try {
                    handOver();
                } finally {
                    // last: it may be unmounted for a lock of the logger
                    engine.logFailure(e);
                }
            }
        }
    }

    private void receive() {
        int idle = 0;
        long received = System.nanoTime();
        long parked = received;
        while (mustReceive(idle, received)) {
            latestBurst = System.nanoTime();
            idle = engine.burst() == ReceiveEngine.Burst.RECEIVED ? 0 : idle + 1;
            if (idle == 0) {
                received = latestBurst;
            }
            if (!mustReceive(idle, received)) {
                // the device's thread may block already, and must be woken if this burst has left responses
                return;
            }
            if (latestBurst - parked > BETWEEN_PARKS_NANOS) {
                LockSupport.parkNanos(1);
                // after the park: a long one would otherwise make it park again after the next burst, and be late
                parked = System.nanoTime();
            } else {
                letOthersRun(idle);
            }
        }
    }

    private boolean mustReceive(int idle, long received) {
        return (idle < MAX_IDLE_BURSTS || latestBurst - received < LINGER_NANOS) && active && !role.isLed()
                && !engine.isClosed();
    }

    /** Virtual threads first: if the carrier loses its processor, they have to wait, too. */
    private static void letOthersRun(int idle) {
        Thread.yield();
        if (idle > 1) {
            // the next packet may come from a thread of the system that waits for this processor
            ProcessorYield.yieldProcessor();
        }
    }

    private void handOver() {
        active = false;
        deviceThread.request();
        socketWait.wakeOther();
    }
}
