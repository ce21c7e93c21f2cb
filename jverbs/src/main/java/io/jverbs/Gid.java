package io.jverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A global identifier (GID), {@code union ibv_gid}: the 128-bit address of a port or a multicast group. It has the form
 * of an IPv6 address. On RoCEv2 it is the IP address of the port; the GID of the IPv4 address a.b.c.d is {@code
 * ::ffff:a.b.c.d} (InfiniBand Architecture Specification, annex A17).
 *
 * <p>
 * This class is immutable and thread-safe. No method queries a name service.
 */
public final class Gid {
    /** The length of a GID in bytes. */
    public static final int BYTES = 16;
    /** The GID with all bits 0: the content of an empty GID table entry. */
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
     * Creates a GID from its two halves.
     *
     * @param high the first 8 bytes as a big-endian number: the subnet prefix
     * @param low the last 8 bytes as a big-endian number: the interface ID
     * @return the GID
     */
    public static Gid of(long high, long low) {
        return high == 0 && low == 0 ? ZERO : new Gid(high, low);
    }

    /**
     * Creates a GID from its bytes.
     *
     * @param bytes 16 bytes in network byte order
     * @return the GID
     * @throws IllegalArgumentException if the array does not have 16 bytes
     */
    public static Gid of(byte[] bytes) {
        requireLength("bytes", bytes, BYTES, "a GID");
        return of((long) LONGS.get(bytes, 0), (long) LONGS.get(bytes, Long.BYTES));
    }

    /**
     * Parses the text form of a GID, with the syntax of inet_pton(3).
     *
     * @param text an IPv6 address without brackets and zone, or an IPv4 address as four decimal numbers, which gives
     *        the IPv4-mapped GID
     * @return the GID
     * @throws IllegalArgumentException if the text is neither, for example a host name
     */
    public static Gid parse(String text) {
        return GidText.parse(Objects.requireNonNull(text, "text"));
    }

    /**
     * Returns the RoCEv2 GID of an IP address.
     *
     * @param address an IPv4 or IPv6 address; a zone is ignored
     * @return the IPv4-mapped GID of an IPv4 address, or the IPv6 address itself
     */
    public static Gid ofAddress(InetAddress address) {
        byte[] bytes = Objects.requireNonNull(address, "address").getAddress();
        return bytes.length == BYTES ? of(bytes) : ofIpv4(ipv4(bytes));
    }

    /**
     * Returns the default GID of an Ethernet port: the prefix fe80::/64 and the modified EUI-64 of the MAC address.
     *
     * @param mac the 6 bytes of the MAC address
     * @return the link-local GID
     * @throws IllegalArgumentException if the array does not have 6 bytes
     */
    public static Gid ofMac(byte[] mac) {
        requireLength("mac", mac, MAC_BYTES, "a MAC address");
        // Modified EUI-64 (RFC 4291, appendix A): insert ff:fe in the middle and invert the universal/local bit.
        byte[] eui64 = {(byte) (mac[0] ^ 0x02), mac[1], mac[2], (byte) 0xff, (byte) 0xfe, mac[3], mac[4], mac[5]};
        return of(LINK_LOCAL_PREFIX, (long) LONGS.get(eui64, 0));
    }

    /** {@return the IPv4-mapped GID of an IPv4 address, which is given as a big-endian number} */
    static Gid ofIpv4(int address) {
        return of(0, MAPPED_PREFIX | Integer.toUnsignedLong(address));
    }

    /** {@return the first 8 bytes as a big-endian number: the subnet prefix} */
    public long high() {
        return high;
    }

    /** {@return the last 8 bytes as a big-endian number: the interface ID} */
    public long low() {
        return low;
    }

    /** {@return a new array of the 16 bytes in network byte order} */
    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        LONGS.set(bytes, 0, high);
        LONGS.set(bytes, Long.BYTES, low);
        return bytes;
    }

    /** {@return whether all bits are 0, as in {@link #ZERO}} */
    public boolean isZero() {
        return high == 0 && low == 0;
    }

    /** {@return whether this GID is a multicast GID: in ff00::/8, or IPv4-mapped and in 224.0.0.0/4} */
    public boolean isMulticast() {
        return high >>> 56 == 0xff || isIpv4Mapped() && (low & 0xf000_0000L) == 0xe000_0000L;
    }

    /** {@return whether this GID is a link-local IPv6 address, in fe80::/10; an IPv4-mapped GID is not} */
    public boolean isLinkLocal() {
        return high >>> 54 == LINK_LOCAL_PREFIX >>> 54;
    }

    /** {@return whether this GID is an IPv4-mapped address, {@code ::ffff:a.b.c.d}} */
    public boolean isIpv4Mapped() {
        return high == 0 && (low & ~LOW_32_BITS) == MAPPED_PREFIX;
    }

    /** {@return the IP address of this GID: an {@link java.net.Inet4Address} if it is IPv4-mapped} */
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException impossible) {
            throw new AssertionError("InetAddress rejects 16 bytes", impossible);
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

    /** {@return the text form, as inet_ntop(3) formats it, for example {@code fe80::1} or {@code ::ffff:192.0.2.1}} */
    @Override
    public String toString() {
        return GidText.format(this);
    }

    private static int ipv4(byte[] bytes) {
        return (bytes[0] & 0xff) << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
    }

    private static void requireLength(String name, byte[] bytes, int length, String what) {
        Objects.requireNonNull(bytes, name);
        if (bytes.length != length) {
            throw new IllegalArgumentException(what + " has " + length + " bytes, not " + bytes.length);
        }
    }
}
