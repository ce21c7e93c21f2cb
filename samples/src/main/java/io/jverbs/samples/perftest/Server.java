package io.jverbs.samples.perftest;

import io.jverbs.samples.SampleFailure;
import io.jverbs.samples.Screen;

/** The side that does what the other one says. */
final class Server {
    private final Settings settings;
    private final Control control;
    private final Rounds rounds;
    private final Screen screen;

    Server(Settings settings, Control control, Side side, Screen screen) {
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
        String line = control.receive();
        while (!line.equals(Client.END)) {
            String[] words = line.split(" ");
            try {
                switch (words[0]) {
                    case Client.ROUND -> rounds.serve(new Round(Integer.parseInt(words[1]),
                            Integer.parseInt(words[2]), Boolean.parseBoolean(words[3])));
                    case Client.BASELINE -> baseline.serve(Integer.parseInt(words[1]), Integer.parseInt(words[2]),
                            Integer.parseInt(words[3]));
                    default -> throw new SampleFailure("the peer said \"" + line + "\", which means nothing.");
                }
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new SampleFailure("the peer said \"" + line + "\", which means nothing.");
            }
            line = control.receive();
        }
    }
}
