package io.jverbs.samples.perftest.run;

import io.jverbs.QpType;
import io.jverbs.samples.connect.LocalAddress;
import java.nio.file.Path;
import java.time.Duration;

/** Creates settings with the defaults of perftest. */
final class TestSettings {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private TestSettings() {}

    static Settings program(Verb verb, boolean latency, boolean gigabits) {
        return of(verb, latency, gigabits, null, PATIENCE);
    }

    static Settings plot(Verb verb, boolean latency, Path plot) {
        return of(verb, latency, false, plot, PATIENCE);
    }

    static Settings impatient(Verb verb, boolean latency) {
        return of(verb, latency, false, null, Duration.ofSeconds(1));
    }

    private static Settings of(Verb verb, boolean latency, boolean gigabits, Path plot, Duration patience) {
        return new Settings(new Program(verb, latency), null, false, 18515, null, 1, QpType.RC, false, 64, 1000, 0, 1,
                1, 1, 1, null, LocalAddress.NO_GID_INDEX, false, false, Settings.DEFAULT_INLINE, 0, 0, 14, false,
                gigabits, plot, Duration.ZERO, false, patience);
    }
}
