package io.jverbs.bench.wire;

import io.jverbs.bench.suite.Needs;
import java.util.List;

/** Which sockets can be measured here. */
final class Sockets {
    private static final String PROPERTY = "jverbs.soft.udp";
    /** Those whose struct sockaddr and numbers of options are known here, as to the device. */
    private static final List<String> ARCHITECTURES = List.of("amd64", "aarch64");
    private static final List<String> ALLOWED = List.of("auto", "nio", "linux");

    private Sockets() {}

    private static String otherThan(String wanted) {
        String asked = System.getProperty(PROPERTY, "auto");
        if (!ALLOWED.contains(asked)) {
            throw new IllegalArgumentException(
                    "-D" + PROPERTY + "=" + asked + ": allowed are " + String.join(", ", ALLOWED));
        }
        return asked.equals("auto") || asked.equals(wanted) ? null : "-D" + PROPERTY + "=" + asked + " was given";
    }

    /** The device's of Java, unless others were asked for. */
    public static final class Nio implements Needs.Condition {
        /** For the suite. */
        public Nio() {
            // nothing is kept
        }

        @Override
        public String missing() {
            return otherThan("nio");
        }
    }

    /** Those of Linux' C library. */
    public static final class Linux implements Needs.Condition {
        /** For the suite. */
        public Linux() {
            // nothing is kept
        }

        @Override
        public String missing() {
            boolean known = System.getProperty("os.name").equals("Linux")
                    && ARCHITECTURES.contains(System.getProperty("os.arch"));
            return known ? null : "it is for Linux on " + String.join(" or ", ARCHITECTURES);
        }
    }

    /** The device's of Linux' C library, unless others were asked for. */
    public static final class DeviceOnLinux implements Needs.Condition {
        /** For the suite. */
        public DeviceOnLinux() {
            // nothing is kept
        }

        @Override
        public String missing() {
            String missing = new Linux().missing();
            return missing == null ? otherThan("linux") : missing;
        }
    }
}
