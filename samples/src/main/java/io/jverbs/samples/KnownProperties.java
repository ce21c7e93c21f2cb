package io.jverbs.samples;

import io.jverbs.spi.SystemProperties;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;

/**
 * The system properties that {@code samples/run} takes. A misspelled one would otherwise have no effect, as the JVM
 * accepts any name.
 */
final class KnownProperties {
    /** The threshold of the log, read by logback.xml. */
    static final String LOG = "jverbs.samples.log";
    private static final String PREFIX = "jverbs.";
    private static final List<String> LEVELS = List.of("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL");
    private static final String SEE = "; see docs/tools.md";

    private KnownProperties() {}

    /** {@return why the properties are refused, without a full stop; empty if they are not} */
    static Optional<String> refusal(Properties given) {
        TreeSet<String> known = new TreeSet<>(SystemProperties.described().keySet());
        known.add(LOG);
        for (String name : new TreeSet<>(given.stringPropertyNames())) {
            if (name.startsWith(PREFIX) && !known.contains(name)) {
                return Optional.of("unknown system property " + name + UsageErrors.suggestion(name, known)
                        + "; allowed are " + String.join(", ", known) + SEE);
            }
        }
        String level = given.getProperty(LOG, LEVELS.getFirst());
        return LEVELS.stream().anyMatch(level::equalsIgnoreCase)
                ? Optional.empty()
                : Optional.of("system property " + LOG + "=" + level + ": allowed are " + String.join(", ", LEVELS)
                        + SEE);
    }
}
