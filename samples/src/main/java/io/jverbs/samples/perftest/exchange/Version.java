package io.jverbs.samples.perftest.exchange;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a side, as the C programs print it with {@code --version}. Those compare its first number; what
 * follows the number is ignored.
 *
 * @param text the version, such as "6.06" for perftest 4.5
 * @param jverbs whether the side is a program of this project
 */
public record Version(String text, boolean jverbs) {
    /** The version of this program's exchange, that of perftest 4.5. */
    public static final Version OWN = new Version("6.06", true);
    /** The oldest version with which perftest 4.5 exchanges anything. */
    static final String LEAST = "5.70";
    /** The length of the message in bytes. */
    static final int BYTES = 16;

    private static final String SUFFIX = " jverbs";
    private static final Pattern FORMAT = Pattern.compile("(\\d{1,4}\\.\\d{1,4})([ -~]*)\0+");

    /** {@return the message} */
    byte[] toBytes() {
        return Arrays.copyOf((jverbs ? text + SUFFIX : text).getBytes(StandardCharsets.US_ASCII), BYTES);
    }

    /** {@return the version in a message, null if the message is not a version} */
    static Version of(byte[] message) {
        Matcher matcher = FORMAT.matcher(new String(message, StandardCharsets.ISO_8859_1));
        return matcher.matches() ? new Version(matcher.group(1), matcher.group(2).equals(SUFFIX)) : null;
    }

    /** {@return whether the C programs accept this version} */
    boolean isCompatible() {
        return Double.parseDouble(text) >= Double.parseDouble(LEAST);
    }

    /** {@return whether the number is that of this program} */
    public boolean isOwn() {
        return text.equals(OWN.text);
    }
}
