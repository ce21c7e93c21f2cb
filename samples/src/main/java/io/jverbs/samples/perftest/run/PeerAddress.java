package io.jverbs.samples.perftest.run;

import io.jverbs.Gid;
import io.jverbs.samples.console.SampleFailure;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The address of a side's queue pair and memory.
 *
 * @param lid the port's LID, 0 on Ethernet
 * @param qpn the queue pair number
 * @param psn the initial packet sequence number of the queue pair
 * @param gid the port's GID, {@link Gid#ZERO} if no GID is used
 * @param rkey the remote key of the memory
 * @param address the address of the memory
 * @param reads the number of outstanding READs and atomics that it accepts as responder
 */
public record PeerAddress(int lid, int qpn, int psn, Gid gid, int rkey, long address, int reads) {
    private static final int WORDS = 7;
    private static final int HEX = 16;

    /** {@return the words that are sent to the other side} */
    public String toWords() {
        return String.format(Locale.ROOT, "%x %x %x %s %x %x %x", lid, qpn, psn,
                HexFormat.of().formatHex(gid.toBytes()), rkey, address, reads);
    }

    /** Parses the words of the other side. */
    public static PeerAddress ofWords(String[] words) {
        try {
            if (words.length == WORDS) {
                return new PeerAddress(hex(words[0]), hex(words[1]), hex(words[2]),
                        Gid.of(HexFormat.of().parseHex(words[3])), hex(words[4]), Long.parseUnsignedLong(words[5], HEX),
                        hex(words[6]));
            }
        } catch (IllegalArgumentException e) {
            // the exception below has the words
        }
        throw new SampleFailure("the peer sent \"" + String.join(" ", words) + "\" instead of its address.");
    }

    private static int hex(String digits) {
        return Integer.parseUnsignedInt(digits, HEX);
    }
}
