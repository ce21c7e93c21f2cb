package io.jverbs.samples.connect;

import io.jverbs.Mtu;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Reads the numbers that options have, as C does: decimal, 0x hexadecimal, 0 octal. */
public final class Numbers {
    private Numbers() {}

    /**
     * Reads a number.
     *
     * @param option the option's name, for the message
     * @param text what was given
     * @param min the smallest that is allowed
     * @param max the largest that is allowed
     * @return the number
     * @throws IllegalArgumentException if it is none, or out of range; the message names option, value and range
     */
    public static int read(String option, String text, int min, int max) {
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
     * @param option the option's name, for the message
     * @param text its bytes
     * @return the MTU
     * @throws IllegalArgumentException if it is none; the message names those there are
     */
    public static Mtu readMtu(String option, String text) {
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
