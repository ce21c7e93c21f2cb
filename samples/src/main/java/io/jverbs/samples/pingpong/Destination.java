package io.jverbs.samples.pingpong;

import io.jverbs.Gid;
import io.jverbs.samples.console.SampleFailure;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a queue pair. Its text form, which the programs exchange over TCP, is LID, queue pair number, PSN and
 * GID in hexadecimal digits, separated by colons and terminated by a zero byte.
 *
 * @param lid the port's LID, 0 on Ethernet
 * @param qpn the queue pair number
 * @param psn the initial packet sequence number of the queue pair
 * @param gid the port's GID, {@link Gid#ZERO} if no GID is used
 */
record Destination(int lid, int qpn, int psn, Gid gid) {
    /** The length of the text form, with the zero byte. */
    static final int WIRE_BYTES = 52;
    /** The destination that is sent for a queue pair that does not exist. */
    static final Destination NONE = new Destination(0, 0, 0, Gid.ZERO);

    private static final Pattern TEXT = Pattern
            .compile("(\\p{XDigit}{1,8}):(\\p{XDigit}{1,8}):(\\p{XDigit}{1,8}):(\\p{XDigit}{32})");

    /** {@return the text form, with the zero byte} */
    byte[] toWire() {
        String text = String.format(Locale.ROOT, "%04x:%06x:%06x:%s\0", lid, qpn, psn,
                HexFormat.of().formatHex(gid.toBytes()));
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Parses the text form. Bytes after the zero byte are ignored.
     *
     * @throws SampleFailure if the bytes are not a destination
     */
    static Destination ofWire(byte[] wire) {
        String text = new String(wire, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\0');
        Matcher parts = TEXT.matcher(end < 0 ? text : text.substring(0, end));
        if (!parts.matches()) {
            throw new SampleFailure("the peer sent \"" + printable(text)
                    + "\" instead of LID:QPN:PSN:GID in hexadecimal digits: it is not a ping-pong program.");
        }
        return new Destination(number(parts.group(1)), number(parts.group(2)), number(parts.group(3)),
                Gid.of(HexFormat.of().parseHex(parts.group(4))));
    }

    private static int number(String digits) {
        return Integer.parseUnsignedInt(digits, 16);
    }

    private static String printable(String text) {
        return text.replaceAll("\0+$", "").replaceAll("[^ -~]", "?");
    }

    /** {@return LID, queue pair number and PSN in the format of the C programs} */
    String numbers() {
        return String.format(Locale.ROOT, "LID 0x%04x, QPN 0x%06x, PSN 0x%06x", lid, qpn, psn);
    }
}
