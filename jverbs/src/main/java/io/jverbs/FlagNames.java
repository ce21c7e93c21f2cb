package io.jverbs;

import java.util.Arrays;
import java.util.StringJoiner;

/** Formats a set of flags, for example {@code LOCAL_WRITE|REMOTE_READ|0x400}. Immutable. */
final class FlagNames {
    private final int[] bits;
    private final String[] names;

    private FlagNames(int[] bits, String[] names) {
        this.bits = bits;
        this.names = names;
    }

    /**
     * Returns the names of flags whose bits are consecutive, starting at bit 0.
     *
     * @param names the names, starting with that of bit 0
     */
    static FlagNames fromBit0(String... names) {
        int[] bits = new int[names.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = 1 << i;
        }
        return new FlagNames(bits, names);
    }

    /** {@return these names and that of one more flag} */
    FlagNames and(int bit, String name) {
        int[] moreBits = Arrays.copyOf(bits, bits.length + 1);
        String[] moreNames = Arrays.copyOf(names, names.length + 1);
        moreBits[bits.length] = bit;
        moreNames[names.length] = name;
        return new FlagNames(moreBits, moreNames);
    }

    /** {@return the names of the bits that are set, unnamed bits in hexadecimal; "none" for 0} */
    String format(int flags) {
        if (flags == 0) {
            return "none";
        }
        StringJoiner text = new StringJoiner("|");
        int rest = flags;
        for (int i = 0; i < bits.length; i++) {
            if ((flags & bits[i]) != 0) {
                text.add(names[i]);
                rest &= ~bits[i];
            }
        }
        if (rest != 0) {
            text.add("0x" + Integer.toHexString(rest));
        }
        return text.toString();
    }
}
