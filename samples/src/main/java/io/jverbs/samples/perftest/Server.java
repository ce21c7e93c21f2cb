package io.jverbs.samples.perftest;

import io.jverbs.samples.SampleFailure;
import io.jverbs.samples.Screen;

/** The side that does what the other one says. */
final class Server {
    private static final int MAX_PORT = 65_535;
    private static final Round.Kind[] KINDS = Round.Kind.values();

    private final Settings settings;
    private final Control control;
    private final Rounds rounds;
    private final Screen screen;
    private final int largest;

    /**
     * @param settings the options
     * @param control the connection to the client
     * @param side a connected side
     * @param screen where results are shown
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
                case Client.ROUND -> rounds.serve(new Round(number(words, 1, 1, largest),
                        number(words, 2, PerftestCommand.LEAST_ITERATIONS, Integer.MAX_VALUE),
                        KINDS[number(words, 3, 0, KINDS.length - 1)]));
                case Client.BASELINE ->
                    baseline.serve(number(words, 1, 1, largest), number(words, 2, 1, Integer.MAX_VALUE),
                            number(words, 3, 1, MAX_PORT));
                default -> throw meaningless(words);
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
            // told below
        }
        throw meaningless(words);
    }

    private static SampleFailure meaningless(String[] words) {
        return new SampleFailure("the peer said \"" + String.join(" ", words) + "\", which means nothing here.");
    }
}
