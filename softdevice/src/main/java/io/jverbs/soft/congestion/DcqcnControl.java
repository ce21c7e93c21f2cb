package io.jverbs.soft.congestion;

/**
 * The congestion control {@link CongestionControlType#DCQCN}: limits the rate at which packets are sent, as the
 * reaction point of DCQCN does (Zhu and others, Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015). A
 * CNP cuts the rate by a share that is large if CNPs are frequent. After that, the rate returns in steps: each halves
 * the difference to a target rate, which at first is the rate before the cut and then grows.
 *
 * <p>
 * Before the first CNP the rate is not limited. The {@link WindowControl} limits what is in flight in any case; a CNP
 * shows it that the path is congested, so that the windows of all paths through a queue depend on its length. Rates are
 * in the unit of {@link PathWindow#cost} a second; a byte costs about two units.
 */
final class DcqcnControl implements PacingControl {
    /** The least time between two cuts. */
    static final long CUT_INTERVAL_NANOS = 50_000;
    /** The rate below which CNPs, genuine or forged, do not cut: 10 Mbit/s, 279 packets of the largest MTU a second. */
    static final double MIN_RATE = units(10);
    private static final double MAX_RATE = units(400_000);
    private static final double ADDITIVE = units(40);
    private static final double HYPER = units(200);
    private static final double GAIN = 1.0 / 256;
    private static final long ALPHA_PERIOD_NANOS = 55_000;
    private static final long INCREASE_PERIOD_NANOS = 55_000;
    private static final double BYTE_COUNTER = 2 * 10e6;
    private static final int FAST_RECOVERY_STEPS = 5;
    /** After an idle time of more steps than this, the others are performed at once: the lock of the path is held. */
    private static final int MAX_SINGLE_STEPS = 64;
    private static final long QUIET_NANOS = 1_000_000_000;
    /** How late a timer may be without loss of rate. */
    private static final long SLACK_NANOS = 200_000;
    private static final long MEASURE_NANOS = 1_000_000;
    private static final double NANOS = 1e9;

    /**
     * How the rate changes.
     * <pre>
     * phase          CNP            step of time or bytes         a second without a CNP
     * LINE_RATE      FAST_RECOVERY  -                             -
     * FAST_RECOVERY  FAST_RECOVERY  RECOVERED after five          LINE_RATE
     * RECOVERED      FAST_RECOVERY  RECOVERED, target rate grows  LINE_RATE
     * </pre>
     */
    private enum Phase {
        /** The rate is not limited. */
        LINE_RATE,
        /** The rate returns to what it was before the cut. */
        FAST_RECOVERY,
        /** The target rate grows: faster once both steps of time and of bytes are past the fast recovery. */
        RECOVERED
    }

    private final WindowControl window;
    private Phase phase = Phase.LINE_RATE;
    private double rate;
    private double target;
    private double alpha = 1;
    private int timeSteps;
    private int byteSteps;
    private double bytes;
    private long cutAt;
    private long alphaAt;
    private long increaseAt;
    /** The earliest time of the next packet. */
    private long nextAt;
    private boolean sentSinceCut;
    // the rate at which packets were sent, measured in periods
    private boolean measuring;
    private long measuredSince;
    private double measuredCost;
    private double measuredRate;

    DcqcnControl(PathCapacity capacity, boolean withinHost) {
        window = new WindowControl(capacity, withinHost);
    }

    private static double units(int megabits) {
        return 2.0 * megabits * 1e6 / 8;
    }

    @Override
    public long size() {
        return window.size();
    }

    @Override
    public PathCapacity capacity() {
        return window.capacity();
    }

    @Override
    public void acknowledged(long cost) {
        window.acknowledged(cost);
    }

    @Override
    public void roundTrip(long nanos, long now) {
        window.roundTrip(nanos, now);
    }

    @Override
    public void lost() {
        window.lost();
    }

    @Override
    public boolean notified(long now) {
        advance(now);
        if (!sentSinceCut || phase != Phase.LINE_RATE && now - cutAt < CUT_INTERVAL_NANOS) {
            return false;
        }
        if (phase == Phase.LINE_RATE) {
            rate = Math.clamp(measured(now), MIN_RATE, MAX_RATE);
            alpha = 1;
            nextAt = now;
        }
        phase = Phase.FAST_RECOVERY;
        window.marked();
        target = rate;
        changeRate(Math.max(MIN_RATE, rate * (1 - alpha / 2)), now);
        alpha += GAIN * (1 - alpha);
        timeSteps = 0;
        byteSteps = 0;
        bytes = 0;
        cutAt = now;
        alphaAt = now;
        increaseAt = now;
        sentSinceCut = false;
        return true;
    }

    @Override
    public boolean isPaced() {
        return phase != Phase.LINE_RATE;
    }

    @Override
    public long pause(long now) {
        advance(now);
        return phase == Phase.LINE_RATE ? 0 : Math.max(0, nextAt - now);
    }

    @Override
    public long nanos(long cost) {
        return phase == Phase.LINE_RATE ? 0 : (long) (cost / rate * NANOS);
    }

    @Override
    public void granted(long cost, long now) {
        sentSinceCut |= cost > 0;
        measure(cost, now);
        if (phase != Phase.LINE_RATE) {
            long from = nextAt - (now - SLACK_NANOS) > 0 ? nextAt : now - SLACK_NANOS;
            nextAt = from + nanos(cost);
            bytes += cost;
            if (bytes >= BYTE_COUNTER) {
                bytes = 0;
                byteSteps++;
                increase(now);
            }
        }
    }

    /** {@return the rate, or 0 if it is not limited} For tests. */
    double rate() {
        return phase == Phase.LINE_RATE ? 0 : rate;
    }

    private void measure(long cost, long now) {
        if (!measuring || now - measuredSince >= MEASURE_NANOS) {
            measuredRate = measuring ? measuredCost / (now - measuredSince) * NANOS : 0;
            measuring = true;
            measuredSince = now;
            measuredCost = 0;
        }
        measuredCost += cost;
    }

    private double measured(long now) {
        return Math.max(measuredRate, measuredCost / Math.max(CUT_INTERVAL_NANOS, now - measuredSince) * NANOS);
    }

    /** Performs the steps of time that are due. */
    private void advance(long now) {
        if (phase == Phase.LINE_RATE) {
            return;
        }
        if (now - cutAt >= QUIET_NANOS) {
            phase = Phase.LINE_RATE;
            return;
        }
        long alphaSteps = (now - alphaAt) / ALPHA_PERIOD_NANOS;
        if (alphaSteps > 0) {
            alpha *= Math.pow(1 - GAIN, alphaSteps);
            alphaAt += alphaSteps * ALPHA_PERIOD_NANOS;
        }
        long steps = (now - increaseAt) / INCREASE_PERIOD_NANOS;
        increaseAt += steps * INCREASE_PERIOD_NANOS;
        long singly = Math.min(steps, MAX_SINGLE_STEPS);
        for (int i = 0; i < singly; i++) {
            timeSteps++;
            increase(now);
        }
        if (steps > singly) {
            increaseBy((int) (steps - singly), now);
        }
    }

    /** Performs a number of steps of time as if the target rate grew by the same amount with each. */
    private void increaseBy(int steps, long now) {
        double each = growth();
        double behind = target - rate;
        timeSteps += steps;
        target = Math.min(MAX_RATE, target + each * steps);
        // the difference to the target rate grows by the amount with each step, and is halved
        changeRate(Math.max(rate, target - (each + Math.scalb(behind - each, -steps))), now);
    }

    /** By how much the target rate grows with a step after the fast recovery. */
    private double growth() {
        int past = Math.min(timeSteps, byteSteps) - FAST_RECOVERY_STEPS;
        return past > 0 ? HYPER * past : ADDITIVE;
    }

    private void increase(long now) {
        if (Math.max(timeSteps, byteSteps) > FAST_RECOVERY_STEPS) {
            phase = Phase.RECOVERED;
            target = Math.min(MAX_RATE, target + growth());
        }
        changeRate((rate + target) / 2, now);
    }

    /** Changes the rate, also that of the packets that were granted and wait for their time. */
    private void changeRate(double to, long now) {
        if (nextAt - now > 0) {
            nextAt = now + (long) ((nextAt - now) * (rate / to));
        }
        rate = to;
    }
}
