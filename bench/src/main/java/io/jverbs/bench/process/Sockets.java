package io.jverbs.bench.process;

import io.jverbs.bench.suite.Needs;
import io.jverbs.spi.SystemProperties;
import java.util.List;

/** The conditions of benchmarks that need certain sockets. */
public final class Sockets {
    private static final String PROPERTY = SystemProperties.SOFT_UDP;
    /** The architectures whose struct sockaddr and socket option numbers are known. */
    private static final List<String> ARCHITECTURES = List.of("amd64", "aarch64");
    private static final List<String> ALLOWED = List.of("auto", "nio", "linux");

    private Sockets() {}

    /** {@return a sentence if the system property selects other sockets than the wanted ones; otherwise null} */
    private static String otherThan(String wanted) {
        String selected = System.getProperty(PROPERTY, "auto");
        if (!ALLOWED.contains(selected)) {
            throw new IllegalArgumentException(
                    SystemProperties.refusal(PROPERTY, selected, String.join(", ", ALLOWED)));
        }
        return selected.equals("auto") || selected.equals(wanted)
                ? null
                : "-D" + PROPERTY + "=" + selected + " was given";
    }

    /** The system property permits the sockets of Java. */
    public static final class Nio implements Needs.Condition {
        /** For the suite. */
        public Nio() {
            // no state
        }

        @Override
        public String missing() {
            return otherThan("nio");
        }
    }

    /** The system is Linux on a known architecture. */
    public static final class Linux implements Needs.Condition {
        /** For the suite. */
        public Linux() {
            // no state
        }

        @Override
        public String missing() {
            boolean known = System.getProperty("os.name").equals("Linux")
                    && ARCHITECTURES.contains(System.getProperty("os.arch"));
            return known ? null : "it needs Linux on " + String.join(" or ", ARCHITECTURES);
        }
    }

    /** The system is Linux, and the system property permits the sockets of its C library. */
    public static final class DeviceOnLinux implements Needs.Condition {
        /** For the suite. */
        public DeviceOnLinux() {
            // no state
        }

        @Override
        public String missing() {
            String missing = new Linux().missing();
            return missing == null ? otherThan("linux") : missing;
        }
    }
}
