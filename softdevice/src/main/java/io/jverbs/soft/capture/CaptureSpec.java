package io.jverbs.soft.capture;

import io.jverbs.control.PacketCapture;
import io.jverbs.spi.SystemProperties;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The specification of a capture.
 *
 * @param file the file
 * @param ring how many packets are kept until a queue pair fails; 0 if all packets are written
 * @param snap how many bytes of each packet are captured, including its IP header
 * @param buffer the size of the buffer for packets that are not written yet, in bytes, a power of two
 */
record CaptureSpec(Path file, int ring, int snap, int buffer) {
    /** The form of a specification and where it is described, for messages. */
    static final String FORM = "; the form is " + PacketCapture.GRAMMAR
            + SystemProperties.see(PacketCapture.PROPERTY);
    private static final int MAX_RING = 1_000_000;
    private static final int MIN_SNAP = 64;
    private static final int MAX_SNAP = 0xFFFF;
    private static final int MAX_MEBIBYTES = 1024;
    private static final int DEFAULT_MEBIBYTES = 16;
    private static final int MEBIBYTE_SHIFT = 20;
    private static final String PROCESS_ID = "%p";

    /**
     * Parses a specification; {@link PacketCapture} describes its form.
     *
     * @throws IllegalArgumentException if the specification does not have the form; the message contains the part that
     *         is wrong, what is allowed, and the form
     */
    static CaptureSpec parse(String text) {
        Objects.requireNonNull(text, "specification");
        try {
            int question = text.indexOf('?');
            String name = question < 0 ? text : text.substring(0, question);
            if (name.isBlank()) {
                throw new IllegalArgumentException("the file name is missing");
            }
            Map<String, String> options = question < 0 ? Map.of() : options(text.substring(question + 1));
            int mebibytes = number(options, "buffer", DEFAULT_MEBIBYTES, 1, MAX_MEBIBYTES);
            if (Integer.bitCount(mebibytes) != 1) {
                throw new IllegalArgumentException("buffer=" + mebibytes + " is not a power of two");
            }
            return new CaptureSpec(file(name), number(options, "ring", 0, 1, MAX_RING),
                    number(options, "snap", MAX_SNAP, MIN_SNAP, MAX_SNAP), mebibytes << MEBIBYTE_SHIFT);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("capture \"" + text + "\": " + e.getMessage() + FORM, e);
        }
    }

    private static Path file(String name) {
        try {
            return Path.of(name.replace(PROCESS_ID, Long.toString(ProcessHandle.current().pid()))).toAbsolutePath()
                    .normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + name + "\" is not a valid file name: " + e.getReason(), e);
        }
    }

    private static Map<String, String> options(String text) {
        Map<String, String> options = new HashMap<>();
        for (String option : text.split("&", -1)) {
            int equals = option.indexOf('=');
            String key = equals < 0 ? option : option.substring(0, equals);
            switch (key) {
                case "ring", "snap", "buffer" -> {
                    if (equals < 0 || options.put(key, option.substring(equals + 1)) != null) {
                        throw new IllegalArgumentException(
                                "option \"" + key + "\" " + (equals < 0 ? "has no value" : "is given twice"));
                    }
                }
                default -> throw new IllegalArgumentException("unknown option \"" + key + "\"");
            }
        }
        return options;
    }

    private static int number(Map<String, String> options, String key, int unset, int min, int max) {
        String text = options.get(key);
        if (text == null) {
            return unset;
        }
        String range = key + "=" + text + " is not a number from " + min + " to " + max;
        try {
            int value = Integer.parseInt(text);
            if (value < min || value > max) {
                throw new IllegalArgumentException(range);
            }
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(range, e);
        }
    }

    boolean isRing() {
        return ring != 0;
    }
}
