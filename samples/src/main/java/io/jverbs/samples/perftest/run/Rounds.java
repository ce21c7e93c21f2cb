package io.jverbs.samples.perftest.run;

import io.jverbs.samples.console.Screen;

/** Runs rounds together with the other side, and prints the results. */
public final class Rounds {
    /** The first word of the line with which the client announces a round. */
    public static final String REQUEST = "round";

    private static final String READY = "ready";
    private static final String DONE = "done";
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Settings settings;
    private final Control control;
    private final boolean client;
    private final Screen screen;
    private final Table table;
    private final Traffic traffic;
    /** The total of the rounds since the last row, null if there are none. */
    private Tally tally;

    public Rounds(Settings settings, Control control, Side side, boolean client, Screen screen) {
        this.settings = settings;
        this.control = control;
        this.client = client;
        this.screen = screen;
        this.table = new Table(settings);
        this.traffic = new Traffic(settings, side, client,
                new StallDetector(control, settings.connection(), settings.patience()),
                new Progress(screen, settings.program().name(), settings.directions(), settings.seconds()));
    }

    /** Runs a round that the client has announced. */
    public void serve(Round round) {
        Times times = times(round);
        traffic.prepare(round, times);
        control.send(READY);
        run(round, times);
    }

    /** Announces a round and runs it. The outcome has no report unless the round is shown. */
    public Outcome announce(Round round) {
        Times times = times(round);
        traffic.prepare(round, times);
        control.send(REQUEST + " " + round.size() + " " + round.iterations() + " " + round.kind().ordinal());
        control.receive(READY, settings.patience());
        return run(round, times);
    }

    /** {@return whether this side polls for completions or memory in a round} */
    private boolean takesPart() {
        return client || settings.bidirectional() || settings.verb() == Verb.SEND
                || settings.latency() && settings.verb() == Verb.WRITE;
    }

    private Times times(Round round) {
        boolean each = round.shown() && !settings.timed() && takesPart();
        boolean peak = !settings.latency() && round.iterations() <= BandwidthReport.MOST_WITH_PEAK
                && (client || settings.bidirectional());
        int latencies = settings.latency() ? round.iterations() : 0;
        return each ? new Times(peak ? round.iterations() : latencies, peak ? round.iterations() : 0) : new Times(0, 0);
    }

    private Outcome run(Round round, Times times) {
        if (takesPart()) {
            traffic.run();
        }
        Tally sum = tally == null ? Tally.of(round, times) : tally.plus(Tally.of(round, times));
        tally = round.kind() == Round.Kind.PART ? sum : null;
        BandwidthReport own = takesPart() && !settings.latency() ? BandwidthReport.of(sum, times) : null;
        control.send(own == null ? DONE : DONE + " " + own.toWords());
        String[] words = control.receive(DONE);
        BandwidthReport peers = words.length == 0 ? null : BandwidthReport.ofWords(sum, words);
        if (!round.shown()) {
            return new Outcome(times.nanos(), null, null);
        }
        return settings.latency() ? latency(sum, times) : bandwidth(times, own, peers);
    }

    private Outcome latency(Tally sum, Times times) {
        if (!takesPart()) {
            return new Outcome(0, null, null);
        }
        int legs = settings.verb().fetches() ? 1 : 2;
        if (settings.timed()) {
            screen.print(table.row(sum, sum.nanos() / NANOS_PER_MICRO / sum.iterations() / legs,
                    sum.iterations() / (sum.nanos() / NANOS_PER_SECOND)));
            return new Outcome(times.nanos(), null, null);
        }
        LatencyReport report = LatencyReport.of(sum.size(), times.posted, legs);
        screen.print(table.row(report));
        return new Outcome(times.nanos(), report, null);
    }

    private Outcome bandwidth(Times times, BandwidthReport own, BandwidthReport peers) {
        BandwidthReport report = own == null ? peers : own;
        if (settings.bidirectional()) {
            report = own.plus(peers);
        }
        screen.print(table.row(report));
        return new Outcome(times.nanos(), null, report);
    }

    /**
     * The outcome of a round.
     *
     * @param nanos the time of the round in nanoseconds
     * @param latency the latencies, null in a bandwidth test and in a test with a duration
     * @param bandwidth the bandwidth, null in a latency test
     */
    public record Outcome(long nanos, LatencyReport latency, BandwidthReport bandwidth) {}
}
