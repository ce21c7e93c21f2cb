package io.jverbs;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The data that one side of a connection needs to connect to the other: queue pair number, first packet sequence
 * number, GID and MTU. Programs exchange it in any way, as {@link #toBytes() bytes} or as {@link #toText() text}, and
 * pass it to {@link QueuePair#connect(ConnectionInfo)}. Immutable.
 *
 * {@snippet :
 * out.write(qp.localInfo().toBytes());
 * ConnectionInfo peer = ConnectionInfo.fromBytes(in.readNBytes(ConnectionInfo.BYTES));
 * qp.connect(peer);
 * }
 *
 * @param qpn the number of the queue pair, 24 bits
 * @param psn the packet sequence number of the first packet that this side sends, 24 bits
 * @param gid the GID of the port of this side
 * @param mtu the maximum MTU of the port of this side; the connection uses the smaller one of both sides
 */
public record ConnectionInfo(int qpn, int psn, Gid gid, Mtu mtu) {
    /** The length of the byte form in bytes. */
    public static final int BYTES = 24;

    private static final int VERSION = 1;
    private static final int LARGEST = 0xff_ffff;
    private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]{1,6}");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,8}");
    private static final List<String> KEYS = List.of("qpn", "psn", "gid", "mtu");
    private static final String FORM = "; the form is qpn=0x000011,psn=0x0a0b0c,gid=fe80::1,mtu=1024; see"
            + " docs/getting-started.md";

    /**
     * Creates connection information.
     *
     * @throws IllegalArgumentException if a number is wider than 24 bits or the MTU is {@link Mtu#UNKNOWN}
     */
    public ConnectionInfo {
        require24Bits("qpn", qpn);
        require24Bits("psn", psn);
        Objects.requireNonNull(gid, "gid");
        if (Objects.requireNonNull(mtu, "mtu") == Mtu.UNKNOWN) {
            throw new IllegalArgumentException("mtu is UNKNOWN; it must be one of 256, 512, 1024, 2048 and 4096");
        }
    }

    /**
     * Returns the byte form. Its fields are, in network byte order: the version 1 (1 byte), QPN (3 bytes), {@link
     * Mtu#code() MTU code} (1 byte), PSN (3 bytes) and GID (16 bytes).
     *
     * @return a new array of {@link #BYTES} bytes
     */
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putInt(VERSION << 24 | qpn).putInt(mtu.code() << 24 | psn).put(gid.toBytes())
                .array();
    }

    /**
     * Parses the byte form.
     *
     * @param bytes the result of {@link #toBytes()}
     * @return the connection information
     * @throws IllegalArgumentException if the length, the version or the MTU code is invalid
     */
    public static ConnectionInfo fromBytes(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("connection information has " + BYTES + " bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int versionAndQpn = buffer.getInt();
        int mtuAndPsn = buffer.getInt();
        if (versionAndQpn >>> 24 != VERSION) {
            throw new IllegalArgumentException("connection information of version " + (versionAndQpn >>> 24)
                    + ", not " + VERSION + ": both sides need the same release");
        }
        Mtu mtu = Mtu.of(mtuAndPsn >>> 24);
        if (mtu == Mtu.UNKNOWN) {
            throw new IllegalArgumentException("connection information with MTU code " + (mtuAndPsn >>> 24)
                    + ", which is outside 1..5");
        }
        byte[] gid = new byte[Gid.BYTES];
        buffer.get(gid);
        return new ConnectionInfo(versionAndQpn & LARGEST, mtuAndPsn & LARGEST, Gid.of(gid), mtu);
    }

    /** {@return the text form, for example {@code qpn=0x000011,psn=0x0a0b0c,gid=fe80::1,mtu=1024}} */
    public String toText() {
        return "qpn=" + Hex.number(qpn) + ",psn=" + Hex.number(psn) + ",gid=" + gid + ",mtu=" + mtu.bytes();
    }

    /**
     * Parses the text form. The four parts can be in any order. Numbers are decimal, or hexadecimal with the prefix 0x.
     * White space before and after the text is ignored.
     *
     * @param text the text form
     * @return the connection information
     * @throws IllegalArgumentException if a part is missing, repeated, unknown or has an invalid value
     */
    public static ConnectionInfo parse(String text) {
        Objects.requireNonNull(text, "text");
        try {
            return ofParts(text.strip().split(",", -1));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("connection information \"" + text + "\": " + e.getMessage() + FORM, e);
        }
    }

    private static ConnectionInfo ofParts(String[] all) {
        Map<String, String> parts = new HashMap<>();
        for (String part : all) {
            int equals = part.indexOf('=');
            String key = equals < 0 ? part : part.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key)) {
                throw new IllegalArgumentException("\"" + part + "\" is not one of the parts");
            }
            if (parts.put(key, part.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(key + " is given twice");
            }
        }
        for (String key : KEYS) {
            if (!parts.containsKey(key)) {
                throw new IllegalArgumentException(key + " is missing");
            }
        }
        return new ConnectionInfo(number("qpn", parts.get("qpn")), number("psn", parts.get("psn")),
                Gid.parse(parts.get("gid")), mtu(parts.get("mtu")));
    }

    /** {@return the text form} */
    @Override
    public String toString() {
        return toText();
    }

    private static int number(String key, String value) {
        if (HEX.matcher(value).matches()) {
            return HexFormat.fromHexDigits(value, 2, value.length());
        }
        if (DECIMAL.matcher(value).matches()) {
            return Integer.parseInt(value);
        }
        throw new IllegalArgumentException(key + " \"" + value + "\" is not a 24-bit number");
    }

    private static Mtu mtu(String value) {
        Mtu mtu = DECIMAL.matcher(value).matches() ? Mtu.ofBytes(Integer.parseInt(value)) : Mtu.UNKNOWN;
        if (mtu == Mtu.UNKNOWN) {
            throw new IllegalArgumentException("mtu \"" + value + "\" is not one of 256, 512, 1024, 2048 and 4096");
        }
        return mtu;
    }

    private static void require24Bits(String name, int value) {
        if (value < 0 || value > LARGEST) {
            throw new IllegalArgumentException(
                    name + " 0x" + Integer.toHexString(value) + " is outside 0x000000..0xffffff");
        }
    }
}
