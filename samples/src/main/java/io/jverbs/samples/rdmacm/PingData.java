package io.jverbs.samples.rdmacm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** The text of a ping: its number, and printable characters that begin one later in each ping. */
final class PingData {
    private static final int FIRST = 'A';
    private static final int LAST = 'z';

    private PingData() {}

    /** Fills a buffer with the text of a ping and a zero at the end. */
    static void fill(MemorySegment buffer, int ping) {
        byte[] text = new byte[(int) buffer.byteSize()];
        byte[] prefix = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(prefix, 0, text, 0, Math.min(prefix.length, text.length));
        int range = LAST - FIRST + 1;
        for (int i = prefix.length; i < text.length - 1; i++) {
            text[i] = (byte) (FIRST + (ping + i - prefix.length) % range);
        }
        text[text.length - 1] = 0;
        MemorySegment.copy(text, 0, buffer, ValueLayout.JAVA_BYTE, 0, text.length);
    }

    /** Returns the text in a buffer, up to the first zero. */
    static String text(MemorySegment buffer) {
        byte[] all = buffer.toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < all.length && all[length] != 0) {
            length++;
        }
        return new String(all, 0, length, StandardCharsets.US_ASCII);
    }
}
