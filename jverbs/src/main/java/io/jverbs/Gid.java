package io.jverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A global identifier: the 128-bit address of a port or a multicast group, {@code union ibv_gid}. It has the form of an
 * IPv6 address; on RoCE it is the IP address, an IPv4 address a.b.c.d being {@code ::ffff:a.b.c.d} (RoCEv2 annex A17).
 *
 * <p>
 * Immutable and safe for use by many threads. Nothing here ever asks a name service.
 */
public final class Gid {
    /** The length of a GID in bytes. */
    public static final int BYTES = 16;
    /** The GID of which all bits are 0: no GID, an empty entry of a GID table. */
    public static final Gid ZERO = new Gid(0, 0);

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long LINK_LOCAL_PREFIX = 0xfe80_0000_0000_0000L;
    private static final long MAPPED_PREFIX = 0x0000_ffff_0000_0000L;
    private static final long LOW_32_BITS = 0xffff_ffffL;
    private static final int MAC_BYTES = 6;

    private final long high;
    private final long low;

    private Gid(long high, long low) {
        this.high = high;
        this.low = low;
    }

    /**
     * Makes a GID of its two halves.
     *
     * @param high the first eight bytes as a big-endian number: the subnet prefix
     * @param low the last eight bytes as a big-endian number: the interface id
     * @return the GID
     */
    public static Gid of(long high, long low) {
        return high == 0 && low == 0 ? ZERO : new Gid(high, low);
    }

    /**
     * Makes a GID of its bytes.
     *
     * @param bytes sixteen bytes in network order
     * @return the GID
     * @throws IllegalArgumentException if there are more or fewer than sixteen
     */
    public static Gid of(byte[] bytes) {
        requireLength(bytes, BYTES, "a GID");
        return of((long) LONGS.get(bytes, 0), (long) LONGS.get(bytes, Long.BYTES));
    }

    /**
     * Reads a GID from text.
     *
     * @param text an IPv6 address in any of its usual forms, or an IPv4 address as four decimal numbers, which gives
     *        the IPv4-mapped GID; without brackets and without a zone
     * @return the GID
     * @throws IllegalArgumentException if the text is anything else, for instance a host name
     */
    public static Gid parse(String text) {
        return GidText.parse(Objects.requireNonNull(text, "text"));
    }

    /**
     * Makes the GID that RoCE uses for an IP address.
     *
     * @param address an IPv4 or IPv6 address; a zone is ignored
     * @return the address itself, IPv4-mapped where it is an IPv4 address
     */
    public static Gid ofAddress(InetAddress address) {
        byte[] bytes = Objects.requireNonNull(address, "address").getAddress();
        return bytes.length == BYTES ? of(bytes) : ofIpv4(ipv4(bytes));
    }

    /**
     * Makes the default GID of an Ethernet port: fe80::/64 and the EUI-64 of the MAC address.
     *
     * @param mac the six bytes of the address
     * @return the link-local GID
     * @throws IllegalArgumentException if there are more or fewer than six bytes
     */
    public static Gid ofMac(byte[] mac) {
        requireLength(mac, MAC_BYTES, "a MAC address");
        // EUI-64 (RFC 4291, appendix A): ff:fe goes into the middle, and the universal/local bit is inverted.
        byte[] eui64 = {(byte) (mac[0] ^ 0x02), mac[1], mac[2], (byte) 0xff, (byte) 0xfe, mac[3], mac[4], mac[5]};
        return of(LINK_LOCAL_PREFIX, (long) LONGS.get(eui64, 0));
    }

    /** {@return the IPv4-mapped GID of an address given as a big-endian number} */
    static Gid ofIpv4(int address) {
        return of(0, MAPPED_PREFIX | Integer.toUnsignedLong(address));
    }

    /** {@return the first eight bytes as a big-endian number: the subnet prefix} */
    public long high() {
        return high;
    }

    /** {@return the last eight bytes as a big-endian number: the interface id} */
    public long low() {
        return low;
    }

    /** {@return the sixteen bytes in network order; the array is the caller's} */
    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        LONGS.set(bytes, 0, high);
        LONGS.set(bytes, Long.BYTES, low);
        return bytes;
    }

    /** {@return whether this is {@link #ZERO}} */
    public boolean isZero() {
        return high == 0 && low == 0;
    }

    /** {@return whether this names a multicast group: ff00::/8, or 224.0.0.0/4 mapped} */
    public boolean isMulticast() {
        return high >>> 56 == 0xff || isIpv4Mapped() && (low & 0xf000_0000L) == 0xe000_0000L;
    }

    /** {@return whether this is an IPv4 address, {@code ::ffff:a.b.c.d}} */
    public boolean isIpv4Mapped() {
        return high == 0 && (low & ~LOW_32_BITS) == MAPPED_PREFIX;
    }

    /** {@return the IP address: an {@link java.net.Inet4Address} where this is IPv4-mapped} */
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException impossible) {
            throw new AssertionError("sixteen bytes are an IPv6 address", impossible);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Gid that && high == that.high && low == that.low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high * 31 + low);
    }

    /** {@return the address as inet_ntop(3) prints it, for instance {@code fe80::1} or {@code ::ffff:192.0.2.1}} */
    @Override
    public String toString() {
        return GidText.format(this);
    }

    private static int ipv4(byte[] bytes) {
        return (bytes[0] & 0xff) << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
    }

    private static void requireLength(byte[] bytes, int length, String what) {
        Objects.requireNonNull(bytes, "bytes");
        if (bytes.length != length) {
            throw new IllegalArgumentException(what + " has " + length + " bytes, not " + bytes.length);
        }
    }
}
