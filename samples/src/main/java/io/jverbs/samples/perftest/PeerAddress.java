package io.jverbs.samples.perftest;

import io.jverbs.Gid;
import io.jverbs.samples.SampleFailure;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Where a side's queue pair and memory are reached.
 *
 * @param lid the port's LID, 0 on Ethernet
 * @param qpn the queue pair's number
 * @param psn the first packet sequence number that it sends
 * @param gid the port's GID, {@link Gid#ZERO} if none is used
 * @param rkey the key of the memory
 * @param address the address of the memory
 * @param reads how many READs and atomics it answers at a time
 */
record PeerAddress(int lid, int qpn, int psn, Gid gid, int rkey, long address, int reads) {
    private static final int WORDS = 7;
    private static final int HEX = 16;

    /** {@return the words in which the other side is told} */
    String toWords() {
        return String.format(Locale.ROOT, "%x %x %x %s %x %x %x", lid, qpn, psn,
                HexFormat.of().formatHex(gid.toBytes()), rkey, address, reads);
    }

    /** Reads the words. */
    static PeerAddress ofWords(String[] words) {
        try {
            if (words.length == WORDS) {
                return new PeerAddress(hex(words[0]), hex(words[1]), hex(words[2]),
                        Gid.of(HexFormat.of().parseHex(words[3])), hex(words[4]), Long.parseUnsignedLong(words[5], HEX),
                        hex(words[6]));
            }
        } catch (IllegalArgumentException e) {
            // told below
        }
        throw new SampleFailure("the peer told its address as \"" + String.join(" ", words) + "\", which is none.");
    }

    private static int hex(String digits) {
        return Integer.parseUnsignedInt(digits, HEX);
    }
}
