package io.jverbs.samples.connect;

import io.jverbs.Mtu;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Parses the numbers of options. Integers are written as in C: decimal, 0x for hexadecimal, 0 for octal. */
public final class Numbers {
    private static final int KIBI = 10;
    private static final int MEBI = 20;

    private Numbers() {}

    /**
     * Parses an integer.
     *
     * @param option the option's name, for the message
     * @param text the option's value
     * @param min the smallest number that is allowed
     * @param max the largest number that is allowed
     * @return the number
     * @throws IllegalArgumentException if the text is not a number in the range; the message names option, value and
     *         range
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
            throw new IllegalArgumentException(option + " " + text + " is not an integer in " + min + ".." + max, e);
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
     * Parses a number of bytes. It may end with K or M, which stand for 2^10 and 2^20 bytes.
     *
     * @param option the option's name, for the message
     * @param text the option's value
     * @param min the smallest number that is allowed
     * @param max the largest number that is allowed
     * @return the number of bytes
     * @throws IllegalArgumentException if the text is not a number in the range; the message names option, value and
     *         range
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
     * Parses a decimal number with an optional fraction.
     *
     * @param option the option's name, for the message
     * @param text the option's value
     * @param min the smallest number that is allowed
     * @param max the largest number that is allowed
     * @return the number
     * @throws IllegalArgumentException if the text is not a number in the range; the message names option, value and
     *         range
     */
    public static double readDecimal(String option, String text, double min, double max) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(
                    option + " " + text + " is not a number in " + plain(min) + ".." + plain(max));
        }
        return value;
    }

    /** {@return a number, without a fraction if that is 0} */
    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /**
     * Parses an MTU.
     *
     * @param option the option's name, for the message
     * @param text the MTU in bytes
     * @return the MTU
     * @throws IllegalArgumentException if the text is not an MTU; the message lists the MTUs
     */
    public static Mtu readMtu(String option, String text) {
        try {
            Mtu mtu = Mtu.ofBytes(read(option, text, 0, Integer.MAX_VALUE));
            if (mtu != Mtu.UNKNOWN) {
                return mtu;
            }
        } catch (IllegalArgumentException e) {
            // the exception below lists the MTUs
        }
        String all = Arrays.stream(Mtu.values()).filter(mtu -> mtu != Mtu.UNKNOWN)
                .map(mtu -> Integer.toString(mtu.bytes())).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(option + " " + text + " is not an MTU; allowed are " + all);
    }
}
