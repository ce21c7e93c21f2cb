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

    Rounds(Settings settings, Control control, Side side, boolean client, Screen screen) {
        this.settings = settings;
        this.control = control;
        this.client = client;
        this.screen = screen;
        this.table = new Table(settings);
        boolean both = settings.latency()
                ? !settings.verb().fetches()
                : settings.verb() == Verb.SEND && settings.bidirectional();
        this.traffic = new Traffic(settings, side, client,
                new Patience(control, settings.connection(), settings.patience()),
                new Progress(screen, settings.program().name(), both ? 2 : 1));
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
        control.send(Client.ROUND + " " + round.size() + " " + round.iterations() + " " + (round.shown() ? 1 : 0));
        control.receive(READY);
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
        BandwidthReport own = null;
        if (acts()) {
            traffic.run();
            own = settings.latency() ? null : BandwidthReport.of(round, times);
        }
        control.send(own == null ? DONE : DONE + " " + own.toWords());
        String[] words = control.receive(DONE);
        BandwidthReport peers = words.length == 0 ? null : BandwidthReport.ofWords(round, words);
        if (!round.shown()) {
            return new Outcome(times.nanos(), null, null);
        }
        return settings.latency() ? latency(round, times) : bandwidth(times, own, peers);
    }

    private Outcome latency(Round round, Times times) {
        if (!acts()) {
            return new Outcome(0, null, null);
        }
        int legs = settings.verb().fetches() ? 1 : 2;
        if (settings.timed()) {
            screen.print(table.row(round, times.nanos() / NANOS_PER_MICRO / round.iterations() / legs,
                    round.iterations() / (times.nanos() / NANOS_PER_SECOND)));
            return new Outcome(times.nanos(), null, null);
        }
        LatencyReport report = LatencyReport.of(round.size(), times.posted, legs);
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
