package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Reads the numbers that options have, as C does: decimal, 0x hexadecimal, 0 octal. */
final class Numbers {
    private Numbers() {}

    /**
     * Reads a number.
     *
     * @throws IllegalArgumentException if it is none, or out of range; the message names option, value and range
     */
    static int read(String option, String text, int min, int max) {
        long value;
        try {
            value = Long.decode(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + text + " is no number; " + min + ".." + max
                    + " is allowed", e);
        }
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + " " + text + " is outside " + min + ".." + max);
        }
        return (int) value;
    }

    /**
     * Reads an MTU.
     *
     * @throws IllegalArgumentException if it is none; the message names those there are
     */
    static Mtu readMtu(String option, String text) {
        try {
            Mtu mtu = Mtu.ofBytes(read(option, text, 0, Integer.MAX_VALUE));
            if (mtu != Mtu.UNKNOWN) {
                return mtu;
            }
        } catch (IllegalArgumentException e) {
            // told below
        }
        String all = Arrays.stream(Mtu.values()).filter(mtu -> mtu != Mtu.UNKNOWN)
                .map(mtu -> Integer.toString(mtu.bytes())).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(option + " " + text + " is no MTU; there are " + all);
    }
}
