package io.jverbs.samples.perftest.exchange;

import io.jverbs.Gid;
import io.jverbs.samples.connect.Messages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** The forms of an address in the exchange. */
public enum AddressFormat {
    /** Hexadecimal numbers with colons between them, over TCP, of a side that uses no GID. */
    TEXT(59),
    /** The same with the bytes of the GID, and a colon at the end. */
    TEXT_WITH_GID(108),
    /** Binary numbers, over a connection of rdma_cm. */
    BINARY(56);

    private static final int HEX = 16;
    private static final int NUMBERS = 6;
    private static final int MOST_16_BITS = 0xffff;
    private static final int MOST_24_BITS = 0xff_ffff;
    private static final int MOST_READS = 255;
    /** The offsets of the structure that the C programs send, with the padding of a 64-bit machine. */
    private static final int RKEY_AT = 16;
    private static final int ADDRESS_AT = 24;
    private static final int GID_AT = 32;
    private static final int EXTRA_AT = 48;
    private static final Pattern FIELD = Pattern.compile("[0-9a-f]{1,16}");

    private final int bytes;

    AddressFormat(int bytes) {
        this.bytes = bytes;
    }

    /** {@return the length of the message in bytes} */
    int bytes() {
        return bytes;
    }

    /** {@return the message} */
    byte[] encode(PeerAddress address) {
        if (this == BINARY) {
            return ByteBuffer.allocate(bytes).putInt(address.lid()).putInt(address.reads()).putInt(address.qpn())
                    .putInt(address.psn()).putInt(RKEY_AT, address.rkey()).putLong(ADDRESS_AT, address.address())
                    .put(GID_AT, address.gid().toBytes()).putInt(EXTRA_AT, address.extra()).array();
        }
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%04x:%04x:%06x:%06x:%08x:%016x:",
                address.lid(), address.reads(), address.qpn(), address.psn(), address.rkey(), address.address()));
        if (this == TEXT_WITH_GID) {
            text.append(HexFormat.ofDelimiter(":").formatHex(address.gid().toBytes())).append(':');
        }
        text.append(String.format(Locale.ROOT, "%08x", address.extra()));
        if (this == TEXT_WITH_GID) {
            text.append(':');
        }
        return Arrays.copyOf(text.toString().getBytes(StandardCharsets.US_ASCII), bytes);
    }

    /**
     * Decodes a message.
     *
     * @param message the message, of the length of this form
     * @return the address
     * @throws IllegalArgumentException if the message is not an address; the text names the field and its value, or
     *         the message
     */
    PeerAddress decode(byte[] message) {
        if (this == BINARY) {
            ByteBuffer fields = ByteBuffer.wrap(message);
            byte[] gid = new byte[Gid.BYTES];
            fields.get(GID_AT, gid);
            return checked(Integer.toUnsignedLong(fields.getInt()), Integer.toUnsignedLong(fields.getInt()),
                    Integer.toUnsignedLong(fields.getInt()), Integer.toUnsignedLong(fields.getInt()),
                    Integer.toUnsignedLong(fields.getInt(RKEY_AT)), fields.getLong(ADDRESS_AT), Gid.of(gid),
                    Integer.toUnsignedLong(fields.getInt(EXTRA_AT)));
        }
        int bytesOfGid = this == TEXT_WITH_GID ? Gid.BYTES : 0;
        String text = Messages.text(message);
        String[] fields = text.split(":");
        if (fields.length != NUMBERS + bytesOfGid + 1
                || !Arrays.stream(fields).allMatch(field -> FIELD.matcher(field).matches())) {
            throw new IllegalArgumentException(Messages.quote(message) + " is not " + (NUMBERS + bytesOfGid + 1)
                    + " hexadecimal numbers with colons between them");
        }
        byte[] gid = new byte[Gid.BYTES];
        for (int i = 0; i < bytesOfGid; i++) {
            gid[i] = (byte) inRange("byte " + i + " of the GID", hex(fields[NUMBERS + i]), 0xff);
        }
        return checked(hex(fields[0]), hex(fields[1]), hex(fields[2]), hex(fields[3]), hex(fields[4]), hex(fields[5]),
                Gid.of(gid), hex(fields[NUMBERS + bytesOfGid]));
    }

    private static long hex(String digits) {
        return Long.parseUnsignedLong(digits, HEX);
    }

    private static PeerAddress checked(long lid, long reads, long qpn, long psn, long rkey, long address, Gid gid,
            long extra) {
        return new PeerAddress((int) inRange("the LID", lid, MOST_16_BITS),
                (int) inRange("the number of outstanding reads", reads, MOST_READS),
                (int) inRange("the queue pair number", qpn, MOST_24_BITS), (int) inRange("the PSN", psn, MOST_24_BITS),
                (int) inRange("the rkey", rkey, 0xffff_ffffL), address, gid,
                (int) inRange("the number of the shared receive queue", extra, 0xffff_ffffL));
    }

    private static long inRange(String field, long value, long most) {
        if (Long.compareUnsigned(value, most) > 0) {
            throw new IllegalArgumentException(field + " is 0x" + Long.toHexString(value) + ", outside 0x0..0x"
                    + Long.toHexString(most));
        }
        return value;
    }
}
