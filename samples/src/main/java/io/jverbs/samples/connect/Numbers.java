package io.jverbs.samples.connect;

import io.jverbs.Mtu;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Reads the numbers that options have, as C does: decimal, 0x hexadecimal, 0 octal. */
public final class Numbers {
    private static final int KIBI = 10;
    private static final int MEBI = 20;

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
        return read(option, text, text.strip(), 0, min, max);
    }

    private static int read(String option, String text, String digits, int shift, int min, int max) {
        long value;
        try {
            value = Math.multiplyExact(Long.decode(digits), 1L << shift);
        } catch (ArithmeticException e) {
            throw outside(option, text, min, max);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + text + " is no number; " + min + ".." + max
                    + " is allowed", e);
        }
        if (value < min || value > max) {
            throw outside(option, text, min, max);
        }
        return (int) value;
    }

    private static IllegalArgumentException outside(String option, String text, int min, int max) {
        return new IllegalArgumentException(option + " " + text + " is outside " + min + ".." + max);
    }

    /**
     * Reads a number of bytes, which may end with K or M, for 2^10 and 2^20 of them.
     *
     * @param option the option's name, for the message
     * @param text what was given
     * @param min the smallest that is allowed
     * @param max the largest that is allowed
     * @return the number
     * @throws IllegalArgumentException if it is none, or out of range; the message names option, value and range
     */
    public static int readSize(String option, String text, int min, int max) {
        String stripped = text.strip();
        int shift = switch (stripped.isEmpty() ? ' ' : stripped.charAt(stripped.length() - 1)) {
            case 'k', 'K' -> KIBI;
            case 'm', 'M' -> MEBI;
            default -> 0;
        };
        return read(option, text, shift == 0 ? stripped : stripped.substring(0, stripped.length() - 1), shift, min,
                max);
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
