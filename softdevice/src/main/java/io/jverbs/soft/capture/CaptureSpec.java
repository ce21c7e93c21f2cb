package io.jverbs.soft.capture;

import io.jverbs.control.PacketCapture;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What is to be captured, and whereto.
 *
 * @param file the file
 * @param ring how many packets are kept until a queue pair fails; 0 if all are written
 * @param snap how many bytes of a packet are kept, its IP header included
 * @param buffer the bytes of memory that packets wait in, a power of two
 */
record CaptureSpec(Path file, int ring, int snap, int buffer) {
    private static final int MOST_RING = 1_000_000;
    private static final int LEAST_SNAP = 64;
    private static final int MOST_SNAP = 0xFFFF;
    private static final int MOST_MEBIBYTES = 1024;
    private static final int MEBIBYTES = 16;
    private static final int MEBIBYTE_SHIFT = 20;
    private static final String PROCESS = "%p";

    /**
     * Reads what {@link PacketCapture} describes.
     *
     * @throws IllegalArgumentException if it has not the form
     */
    static CaptureSpec parse(String text) {
        try {
            int question = text.indexOf('?');
            String name = question < 0 ? text : text.substring(0, question);
            if (name.isBlank()) {
                throw new IllegalArgumentException("no file is named");
            }
            Map<String, String> options = question < 0 ? Map.of() : options(text.substring(question + 1));
            int mebibytes = number(options, "buffer", MEBIBYTES, 1, MOST_MEBIBYTES);
            if (Integer.bitCount(mebibytes) != 1) {
                throw new IllegalArgumentException("buffer=" + mebibytes + " is no power of two");
            }
            return new CaptureSpec(file(name), number(options, "ring", 0, 1, MOST_RING),
                    number(options, "snap", MOST_SNAP, LEAST_SNAP, MOST_SNAP), mebibytes << MEBIBYTE_SHIFT);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "capture \"" + text + "\": " + e.getMessage() + "; the form is " + PacketCapture.GRAMMAR, e);
        }
    }

    private static Path file(String name) {
        try {
            return Path.of(name.replace(PROCESS, Long.toString(ProcessHandle.current().pid()))).toAbsolutePath()
                    .normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + name + "\" is no file name: " + e.getReason(), e);
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

    private static int number(Map<String, String> options, String key, int unset, int least, int most) {
        String text = options.get(key);
        if (text == null) {
            return unset;
        }
        String range = key + "=" + text + " is no number from " + least + " to " + most;
        try {
            int value = Integer.parseInt(text);
            if (value < least || value > most) {
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
