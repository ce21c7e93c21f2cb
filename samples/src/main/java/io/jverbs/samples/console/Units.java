package io.jverbs.samples.console;

/** Writes numbers with a unit, as the programs of rdmacm-utils do. */
public final class Units {
    private static final int KIBI = 1 << 10;
    private static final int MEBI = 1 << 20;
    private static final int GIBI = 1 << 30;
    private static final int THOUSAND = 1_000;
    private static final int MILLION = 1_000_000;
    private static final int BILLION = 1_000_000_000;
    /** Below as many units, the tenths are written, too. */
    private static final int MIN_WITHOUT_TENTHS = 10;

    private Units() {}

    /** {@return a number of bytes with a unit: k, m, g for 2^10, 2^20, 2^30} */
    public static String bytes(long count) {
        long unit = count >= GIBI ? GIBI : count >= MEBI ? MEBI : count >= KIBI ? KIBI : 1;
        String suffix = unit == GIBI ? "g" : unit == MEBI ? "m" : unit == KIBI ? "k" : "";
        long tenths = count / unit < MIN_WITHOUT_TENTHS ? count % unit * 10 / unit : 0;
        return count / unit + (tenths == 0 ? "" : "." + tenths) + suffix;
    }

    /** {@return a number with a unit: k, m, b for a thousand, a million, 10^9} */
    public static String count(long count) {
        if (count >= BILLION) {
            return count / BILLION + "b";
        }
        return count >= MILLION ? count / MILLION + "m" : count >= THOUSAND ? count / THOUSAND + "k" : "" + count;
    }
}
