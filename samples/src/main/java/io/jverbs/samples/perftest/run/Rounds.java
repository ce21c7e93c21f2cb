package io.jverbs.samples.perftest.run;

import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.perftest.exchange.BandwidthMessage;
import io.jverbs.samples.perftest.exchange.ParameterExchange;

/** Runs the rounds of one side, and prints their results. */
public final class Rounds {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Settings settings;
    private final ParameterExchange exchange;
    private final Side side;
    private final boolean client;
    private final Screen screen;
    private final Table table;
    private final Traffic traffic;

    /**
     * Creates the rounds.
     *
     * @param settings the options
     * @param exchange the connection to the peer
     * @param side a connected side
     * @param client whether the side is the client
     * @param screen the destination of the results
     */
    public Rounds(Settings settings, ParameterExchange exchange, Side side, boolean client, Screen screen) {
        this.settings = settings;
        this.exchange = exchange;
        this.side = side;
        this.client = client;
        this.screen = screen;
        this.table = new Table(settings);
        this.traffic = new Traffic(settings, side, client,
                new StallDetector(exchange, settings.connection(), settings.patience()),
                new Progress(screen, settings.program().name(), settings.directions()));
    }

    /** {@return whether this side polls for completions or memory in a round} */
    public boolean takesPart() {
        return client || !oneSided() || settings.bidirectional();
    }

    /** {@return whether the peer of a sender only executes its requests} */
    public boolean oneSided() {
        return settings.verb().fetches() || settings.verb() == Verb.WRITE && !settings.latency();
    }

    /** {@return whether the results of both sides are added} */
    private boolean adds() {
        return settings.bidirectional() && !(settings.verb() == Verb.SEND && settings.timed());
    }

    /**
     * Runs a round that is not measured.
     *
     * @param round the round
     * @return its time in nanoseconds
     */
    public long warmUp(Round round) {
        Times times = new Times(0, 0);
        traffic.run(round, times);
        if (!oneSided()) {
            side.clear(round.size());
        }
        return Math.max(1, times.nanos());
    }

    /**
     * Runs the round that is measured, and prints its result.
     *
     * @param round the round
     * @param between what happens between the traffic and the exchange of the results
     * @return the result
     */
    public Outcome measure(Round round, Runnable between) {
        Times times = times(round);
        traffic.run(round, times);
        if (times.messages == 0) {
            throw new SampleFailure("no message was transferred in " + round.seconds() + " s: start both sides with the"
                    + " same program and the same options.");
        }
        between.run();
        return settings.latency() ? latency(round, times) : bandwidth(round, times);
    }

    private Times times(Round round) {
        if (round.timed()) {
            return new Times(0, 0);
        }
        if (settings.latency()) {
            return new Times(round.iterations(), 0);
        }
        boolean peak = round.iterations() <= BandwidthReport.MOST_WITH_PEAK && (client || settings.bidirectional());
        return peak ? new Times(round.iterations(), round.iterations()) : new Times(0, 0);
    }

    private Outcome latency(Round round, Times times) {
        int legs = settings.verb().fetches() ? 1 : 2;
        if (round.timed()) {
            double rate = times.messages / (times.nanos() / NANOS_PER_SECOND);
            screen.print(table.row(round.size(), times.messages,
                    times.nanos() / NANOS_PER_MICRO / times.messages / legs, rate));
            return new Outcome(null, null);
        }
        LatencyReport report = LatencyReport.of(round.size(), times.posted, legs);
        screen.print(table.row(report));
        return new Outcome(report, null);
    }

    private Outcome bandwidth(Round round, Times times) {
        BandwidthReport report = BandwidthReport.of(round.size(), times);
        if (adds()) {
            BandwidthMessage peers = exchange.bandwidths(report.toMessage(settings.gigabits()));
            report = report.plus(BandwidthReport.of(exchange.checked(peers), settings.gigabits()));
        }
        screen.print(table.row(report));
        return new Outcome(null, report);
    }

    /**
     * Sends the result of the last size to the server, which has measured nothing itself.
     *
     * @param outcome the result
     */
    public void report(Outcome outcome) {
        exchange.bandwidths(outcome.bandwidth().toMessage(settings.gigabits()));
    }

    /** Prints the client's result of the last size, on a server that has measured nothing itself. */
    public void printPeers() {
        BandwidthMessage peers = exchange.checked(exchange.bandwidths(BandwidthMessage.NONE));
        screen.print(table.row(BandwidthReport.of(peers, settings.gigabits())));
    }

    /**
     * The outcome of a round.
     *
     * @param latency the latencies, null in a bandwidth test and in a test with a duration
     * @param bandwidth the bandwidth, null in a latency test
     */
    public record Outcome(LatencyReport latency, BandwidthReport bandwidth) {}
}
