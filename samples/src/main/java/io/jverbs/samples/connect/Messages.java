package io.jverbs.samples.connect;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Formats received messages for errors. */
public final class Messages {
    private Messages() {}

    /**
     * {@return the text of a message, up to its first NUL}
     *
     * @param message the message
     */
    public static String text(byte[] message) {
        String text = new String(message, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    /**
     * {@return a message as text in quotation marks if it is printable, otherwise its bytes in hexadecimal}
     *
     * @param message the message
     */
    public static String quote(byte[] message) {
        String text = text(message).replaceAll("[\r\n]+$", "");
        boolean printable = !text.isEmpty() && text.chars().allMatch(c -> c >= ' ' && c <= '~');
        return printable ? "\"" + text + "\"" : "0x" + HexFormat.of().formatHex(message);
    }
}
