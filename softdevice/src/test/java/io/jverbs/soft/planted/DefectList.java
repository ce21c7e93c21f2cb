package io.jverbs.soft.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads planted defects from resources. Each defect is a block of lines; the first character of a line says what it
 * holds:
 *
 * <pre>
 * = F24 An RNR retry too many is made
 * ! RnrContract.aSendWithoutReceiveFailsAfterTheRetries
 * : io/jverbs/soft/transport/connection/RetryCounters.java
 * &#64; boolean useRnrRetry()
 * - rnrLeft == 0
 * + rnrLeft &lt; 0
 * </pre>
 *
 * <p>
 * In this order:
 * <ul>
 * <li>{@code =} the catalogue number and a title, which says what is wrong;
 * <li>{@code !} the test that must fail, of the contract suite, the connection manager, the transports, congestion
 * control or simulated networks;
 * <li>{@code :} the source file;
 * <li>{@code @} the anchor, a text that occurs once in the file, before the text to replace; it may be left out if the
 * text to replace occurs once in the file;
 * <li>{@code -} the text to replace;
 * <li>{@code +} the replacement; there is none if the defect deletes the text.
 * </ul>
 *
 * <p>
 * Anchor, text and replacement may take several lines. Lines that start with {@code #} are comments.
 */
final class DefectList {
    private static final List<String> RESOURCES = List.of("devices.txt", "memory.txt", "windows.txt",
            "completion-queues.txt",
            "queue-pairs.txt", "requests.txt", "reliable.txt", "datagrams.txt", "shared-queues-and-events.txt",
            "connection-manager.txt", "congestion.txt");

    private DefectList() {}

    /** Returns all planted defects that single tests find, in the order of the catalogue. */
    static List<PlantedDefect> all() {
        List<PlantedDefect> defects = new ArrayList<>();
        for (String resource : RESOURCES) {
            read(resource, defects);
        }
        return defects;
    }

    /** Returns the planted defects of one resource. */
    static List<PlantedDefect> of(String resource) {
        List<PlantedDefect> defects = new ArrayList<>();
        read(resource, defects);
        return defects;
    }

    private static void read(String resource, List<PlantedDefect> into) {
        Block block = null;
        for (String line : lines(resource)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String text = line.substring(1).strip();
            if (line.charAt(0) == '=') {
                add(block, into);
                block = new Block(resource, text);
            } else if (block == null) {
                throw new IllegalStateException(resource + " does not start with a \"=\" line: " + line);
            } else {
                block.take(line, text);
            }
        }
        add(block, into);
    }

    private static void add(Block block, List<PlantedDefect> into) {
        if (block != null) {
            into.add(block.defect());
        }
    }

    private static List<String> lines(String resource) {
        try (InputStream in = DefectList.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of one defect, collected while the resource is read. */
    private static final class Block {
        private final String resource;
        private final String heading;
        private String test = "";
        private String file = "";
        private final StringBuilder anchor = new StringBuilder();
        private final StringBuilder find = new StringBuilder();
        private final StringBuilder replacement = new StringBuilder();

        Block(String resource, String heading) {
            this.resource = resource;
            this.heading = heading;
        }

        void take(String line, String text) {
            switch (line.charAt(0)) {
                case '!' -> test = text;
                case ':' -> file = text;
                case '@' -> anchor.append(text).append('\n');
                case '-' -> find.append(text).append('\n');
                case '+' -> replacement.append(text).append('\n');
                default -> throw new IllegalStateException(
                        resource + " has a line that starts with none of = ! : @ - + #: " + line);
            }
        }

        PlantedDefect defect() {
            int space = heading.indexOf(' ');
            if (test.equals("?")) {
                test = "?.?";
            }
            int dot = test.indexOf('.');
            if (space < 0 || dot < 0 || file.isEmpty() || find.isEmpty()) {
                throw new IllegalStateException(resource + ": the defect \"" + heading
                        + "\" lacks a number, a title, a test, a file or a text to replace");
            }
            return new PlantedDefect(heading.substring(0, space), heading.substring(space + 1), file, anchor.toString(),
                    find.toString(), replacement.toString(), test.substring(0, dot), test.substring(dot + 1));
        }
    }
}
