package io.jverbs.samples.perftest;

import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.perftest.run.Baseline;
import io.jverbs.samples.perftest.run.Control;
import io.jverbs.samples.perftest.run.Round;
import io.jverbs.samples.perftest.run.Rounds;
import io.jverbs.samples.perftest.run.Settings;
import io.jverbs.samples.perftest.run.Side;
import io.jverbs.samples.perftest.run.Table;

/** The server, which runs the rounds that the client announces. */
final class Server {
    private static final int MAX_PORT = 65_535;
    private static final Round.Kind[] KINDS = Round.Kind.values();

    private final Settings settings;
    private final Control control;
    private final Rounds rounds;
    private final Screen screen;
    private final int largest;

    /**
     * Creates the server.
     *
     * @param settings the options
     * @param control the connection to the client
     * @param side a connected side
     * @param screen the destination of the results
     * @param largest the length of the longest message in bytes
     */
    Server(Settings settings, Control control, Side side, Screen screen, int largest) {
        this.largest = largest;
        this.settings = settings;
        this.control = control;
        this.screen = screen;
        this.rounds = new Rounds(settings, control, side, false, screen);
    }

    void run() {
        boolean shows = !(settings.latency() && settings.verb().fetches());
        if (shows) {
            screen.print(new Table(settings).header());
        }
        Baseline baseline = Baseline.of(settings, control);
        for (String line = control.receive(); !line.equals(Client.END); line = control.receive()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case Rounds.REQUEST -> rounds.serve(new Round(number(words, 1, 1, largest),
                        number(words, 2, PerftestCommand.LEAST_ITERATIONS, Integer.MAX_VALUE),
                        KINDS[number(words, 3, 0, KINDS.length - 1)]));
                case Baseline.REQUEST ->
                    baseline.serve(number(words, 1, 1, largest), number(words, 2, 1, Integer.MAX_VALUE),
                            number(words, 3, 1, MAX_PORT));
                default -> throw malformed(words);
            }
        }
    }

    private static int number(String[] words, int index, int least, int most) {
        try {
            int number = Integer.parseInt(words[index]);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            // the exception below has the words
        }
        throw malformed(words);
    }

    private static SampleFailure malformed(String[] words) {
        return new SampleFailure("the peer sent \"" + String.join(" ", words) + "\", which is not a valid request.");
    }
}
