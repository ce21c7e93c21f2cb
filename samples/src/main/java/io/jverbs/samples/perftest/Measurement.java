package io.jverbs.samples.perftest;

import io.jverbs.QpType;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.perftest.exchange.ParameterExchange;
import io.jverbs.samples.perftest.exchange.Request;
import io.jverbs.samples.perftest.run.Baseline;
import io.jverbs.samples.perftest.run.Plot;
import io.jverbs.samples.perftest.run.Round;
import io.jverbs.samples.perftest.run.Rounds;
import io.jverbs.samples.perftest.run.Settings;
import io.jverbs.samples.perftest.run.Side;
import io.jverbs.samples.perftest.run.Table;
import io.jverbs.samples.perftest.run.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The measurements of one side, of all sizes. The sides synchronise where those of perftest do, which differs between
 * the programs.
 */
final class Measurement {
    /** The warm-up of each size but the first is shorter by this factor. */
    private static final int FURTHER_WARM_UPS = 5;
    private static final int FIRST_ITERATIONS = 16;
    private static final int GROWTH = 4;
    private static final int UNLIMITED = Request.MOST;

    private final Settings settings;
    private final boolean client;
    private final ParameterExchange exchange;
    private final Side side;
    private final Rounds rounds;
    private final Baseline baseline;
    private final Screen screen;
    private final int largest;
    /** The largest number of messages in a warm-up. */
    private final int mostInRound;
    /** Null without option --plot, and on the server. */
    private final Plot plot;
    private boolean baselineFailed;
    /** The length of the messages that are measured next. */
    private int size;

    /**
     * Creates the measurements.
     *
     * @param settings the options
     * @param client whether this side is the client
     * @param exchange the connection to the peer
     * @param side a connected side
     * @param screen the destination of the results
     * @param largest the length of the longest message in bytes
     * @param title the title of the plot
     */
    Measurement(Settings settings, boolean client, ParameterExchange exchange, Side side, Screen screen, int largest,
            String title) {
        this.settings = settings;
        this.client = client;
        this.exchange = exchange;
        this.side = side;
        this.screen = screen;
        this.largest = largest;
        this.rounds = new Rounds(settings, exchange, side, client, screen);
        this.baseline = Baseline.of(settings, exchange, side.own());
        boolean paced = settings.verb() != Verb.SEND || settings.latency() || settings.connection() == QpType.RC;
        this.mostInRound = paced ? UNLIMITED : side.receives();
        this.plot = settings.plot() == null || !client
                ? null
                : new Plot(settings, title, baseline.legend(settings.bidirectional()));
    }

    void run() {
        boolean shows = rounds.takesPart() || !settings.latency();
        if (shows) {
            screen.print(new Table(settings).header());
        }
        if (rounds.takesPart()) {
            measure();
        } else if (!settings.latency()) {
            synchronize();
            rounds.printPeers();
        }
        end();
        if (plot != null) {
            plot.save();
        }
    }

    private void measure() {
        Duration warmUp = settings.warmUp();
        Rounds.Outcome last = null;
        for (int each : sizes()) {
            size = each;
            warmUp(warmUp);
            if (synchronizesBefore()) {
                synchronize();
            }
            last = rounds.measure(Round.measured(settings, size), this::beforeResults);
            if (settings.all() && settings.verb() == Verb.SEND && !settings.latency()) {
                synchronize();
            }
            if (plot != null) {
                plot.add(size, last, baseline());
            }
            warmUp = settings.warmUp().dividedBy(FURTHER_WARM_UPS);
        }
        if (rounds.oneSided() && !settings.latency() && !settings.bidirectional()) {
            synchronize();
            rounds.report(last);
        }
    }

    /** {@return whether both sides wait for each other before each size} In perftest, write_lat does not. */
    private boolean synchronizesBefore() {
        if (writesBack()) {
            return exchange.peer().jverbs();
        }
        return !rounds.oneSided() || settings.bidirectional();
    }

    /** {@return whether this is the ping-pong with WRITEs, after which the C program exits at once} */
    private boolean writesBack() {
        return settings.verb() == Verb.WRITE && settings.latency();
    }

    private void beforeResults() {
        if (settings.all() && rounds.oneSided() && settings.bidirectional()) {
            synchronize();
        }
    }

    private void end() {
        if (!writesBack() || exchange.peer().jverbs()) {
            synchronize();
        }
        if (writesBack()) {
            exchange.finish();
        } else {
            exchange.end();
        }
    }

    /** Waits until the peer is here too. The server first does what a client of this project asks for. */
    private void synchronize() {
        for (Request wanted = exchange.synchronize(side.own(), Request.NONE); wanted
                .kind() != Request.Kind.NONE; wanted = exchange.synchronize(side.own(), Request.NONE)) {
            boolean warmUp = wanted.kind() == Request.Kind.WARM_UP;
            if (client || warmUp && (size == 0 || rounds.oneSided())) {
                throw new SampleFailure("the peer asked for " + wanted.kind() + " " + wanted.count()
                        + " where it cannot: start both sides with the same program and the same options.");
            }
            if (warmUp) {
                rounds.warmUp(Round.warmUp(size, wanted.count()));
            } else {
                baseline.serve(wanted.count());
            }
        }
    }

    /** Measures the baseline, unless it failed for a smaller size: each failure takes the time of --patience. */
    private double baseline() {
        if (baselineFailed) {
            return Double.NaN;
        }
        boolean possible = exchange.peer().jverbs();
        double measured = possible ? baseline.measure(size) : Double.NaN;
        if (Double.isNaN(measured)) {
            baselineFailed = true;
            screen.print("No baseline for " + size + " bytes and more: "
                    + (possible
                            ? baseline.failureReason()
                            : "the peer is a program of perftest, which measures none."));
        }
        return measured;
    }

    private List<Integer> sizes() {
        if (!settings.all()) {
            return List.of(largest);
        }
        List<Integer> sizes = new ArrayList<>();
        for (int each = 2; each <= largest; each *= 2) {
            sizes.add(each);
        }
        return sizes;
    }

    /**
     * Sends messages for a time, so that the timed code is compiled by the JIT compiler. A peer that takes part in it
     * is asked by the client to do so, which it cannot be if it is a C program.
     */
    private void warmUp(Duration time) {
        boolean asks = !rounds.oneSided();
        if (asks && !(client && exchange.peer().jverbs())) {
            return;
        }
        long end = System.nanoTime() + time.toNanos();
        int count = iterations(FIRST_ITERATIONS);
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            if (asks) {
                exchange.synchronize(side.own(), new Request(Request.Kind.WARM_UP, count));
            }
            double each = (double) rounds.warmUp(Round.warmUp(size, count)) / count;
            count = iterations(Math.min((double) count * GROWTH, 1 + left / each));
        }
    }

    /**
     * {@return the number of messages of a warm-up} It is a multiple of the list length. Where a message without a
     * receive is lost, it is at most the number of receives that are posted at the beginning.
     */
    private int iterations(double wanted) {
        int list = settings.postList();
        int count = (int) Math.clamp(wanted, PerftestCommand.LEAST_ITERATIONS,
                Math.max(mostInRound, PerftestCommand.LEAST_ITERATIONS));
        int lists = (count + list - 1) / list;
        return (lists > 1 && lists * list > mostInRound ? lists - 1 : lists) * list;
    }
}
