package io.jverbs.samples.perftest;

import io.jverbs.samples.Screen;

/** Plays rounds with the other side, and prints what came of them. */
final class Rounds {
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
    /** What counts since the last row. */
    private Tally tally;

    Rounds(Settings settings, Control control, Side side, boolean client, Screen screen) {
        this.settings = settings;
        this.control = control;
        this.client = client;
        this.screen = screen;
        this.table = new Table(settings);
        this.traffic = new Traffic(settings, side, client,
                new Patience(control, settings.connection(), settings.patience()),
                new Progress(screen, settings.program().name(), settings.directions(), settings.seconds()));
    }

    /** Plays a round that the client has announced. */
    void serve(Round round) {
        Times times = times(round);
        traffic.prepare(round, times);
        control.send(READY);
        play(round, times);
    }

    /** Announces a round and plays it; returns what came of it, a duration unless it is shown */
    Outcome announce(Round round) {
        Times times = times(round);
        traffic.prepare(round, times);
        control.send(Client.ROUND + " " + round.size() + " " + round.iterations() + " " + round.kind().ordinal());
        control.receive(READY, settings.patience());
        return play(round, times);
    }

    private boolean acts() {
        return client || settings.bidirectional() || settings.verb() == Verb.SEND
                || settings.latency() && settings.verb() == Verb.WRITE;
    }

    private Times times(Round round) {
        boolean each = round.shown() && !settings.timed() && acts();
        boolean peak = !settings.latency() && round.iterations() <= BandwidthReport.MOST_WITH_PEAK
                && (client || settings.bidirectional());
        int latencies = settings.latency() ? round.iterations() : 0;
        return each ? new Times(peak ? round.iterations() : latencies, peak ? round.iterations() : 0) : new Times(0, 0);
    }

    private Outcome play(Round round, Times times) {
        if (acts()) {
            traffic.run();
        }
        Tally sum = tally == null ? Tally.of(round, times) : tally.plus(Tally.of(round, times));
        tally = round.kind() == Round.Kind.PART ? sum : null;
        BandwidthReport own = acts() && !settings.latency() ? BandwidthReport.of(sum, times) : null;
        control.send(own == null ? DONE : DONE + " " + own.toWords());
        String[] words = control.receive(DONE);
        BandwidthReport peers = words.length == 0 ? null : BandwidthReport.ofWords(sum, words);
        if (!round.shown()) {
            return new Outcome(times.nanos(), null, null);
        }
        return settings.latency() ? latency(sum, times) : bandwidth(times, own, peers);
    }

    private Outcome latency(Tally sum, Times times) {
        if (!acts()) {
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
     * What came of a round.
     *
     * @param nanos how long it took
     * @param latency the times, null for tests of bandwidth or of a duration
     * @param bandwidth the bandwidth, null for tests of latency
     */
    record Outcome(long nanos, LatencyReport latency, BandwidthReport bandwidth) {}
}
