package io.jverbs.rsocket.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a side tells its peer when they connect, {@code struct rs_conn_data}; the package description has the fields.
 *
 * @param flags {@link #FLAG_NET} and {@link #FLAG_IOMAP}
 * @param credits the number of data messages that the side can hold, 1 to 65535
 * @param iomapSize the number of entries of the target iomap, 0 to 32512; above 128 a multiple of 256
 * @param targetSgl the target SGL of the side; its length is the number of entries, 2 to 1024
 * @param dataBuffer the first half of the receive buffer of the side; 1 to 2^31 bytes
 */
public record ConnectData(int flags, int credits, int iomapSize, RemoteSge targetSgl, RemoteSge dataBuffer) {
    public static final int VERSION = 1;
    /** The side is big-endian. */
    public static final int FLAG_NET = 1;
    /** The side supports iomaps. */
    public static final int FLAG_IOMAP = 1 << 1;
    public static final int BYTES = 40;
    public static final int MAX_IOMAP_SIZE = 127 << 8;

    private static final int IOMAP_SIZE = 7;
    private static final int TARGET_SGL = 8;
    private static final int SCALED = 1 << 7;
    private static final int SCALE_BITS = 8;
    private static final int MIN_SGL_ENTRIES = 2;
    private static final int MAX_SGL_ENTRIES = 1024;
    private static final long MAX_BUFFER_BYTES = 1L << 31;

    /** {@return the flags of this side} */
    public static int ownFlags() {
        return FLAG_IOMAP | (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? FLAG_NET : 0);
    }

    /** {@return the byte order of the side, in which it expects entries of its target SGL and its target iomap} */
    public ByteOrder byteOrder() {
        return (flags & FLAG_NET) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    /** {@return the address of the target iomap, which follows the target SGL} */
    public long iomapAddress() {
        return targetSgl.address() + (long) RemoteSge.BYTES * targetSgl.length();
    }

    /**
     * {@return the size that the peer understands for a size of the target iomap: rounded down above 128}
     *
     * @param size the size
     */
    public static int representableIomapSize(int size) {
        return decodeSize(encodeSize(size));
    }

    private static int encodeSize(int size) {
        return size <= SCALED ? size : SCALED | size >> SCALE_BITS;
    }

    private static int decodeSize(int code) {
        return code <= SCALED ? code : (code & ~SCALED) << SCALE_BITS;
    }

    /** {@return the bytes to send} */
    public ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.put((byte) VERSION).put((byte) flags).putShort((short) credits);
        bytes.put(IOMAP_SIZE, (byte) encodeSize(iomapSize)).position(TARGET_SGL);
        targetSgl.put(bytes);
        dataBuffer.put(bytes);
        return bytes.flip();
    }

    /**
     * Returns what the peer has sent.
     *
     * @param data the private data, with any bytes after them
     * @return the data
     * @throws ProtocolViolation with the reason, if it is no such data
     */
    public static ConnectData decode(ByteBuffer data) {
        ByteBuffer from = data.duplicate().order(ByteOrder.BIG_ENDIAN);
        if (from.remaining() < BYTES) {
            throw new ProtocolViolation("the peer uses another protocol than rsocket: its private data has "
                    + from.remaining() + " bytes, at least " + BYTES + " are expected");
        }
        int version = Byte.toUnsignedInt(from.get());
        if (version != VERSION) {
            throw new ProtocolViolation("the peer uses another protocol than rsocket, or version " + version
                    + " of it: this side has version " + VERSION);
        }
        int flags = Byte.toUnsignedInt(from.get());
        int credits = Short.toUnsignedInt(from.getShort());
        from.position(from.position() + TARGET_SGL - Integer.BYTES - 1);
        int size = decodeSize(Byte.toUnsignedInt(from.get()));
        size = (flags & FLAG_IOMAP) == 0 ? 0 : size;
        RemoteSge targetSgl = RemoteSge.get(from);
        RemoteSge buffer = RemoteSge.get(from);
        requireInRange("credits", credits, 1, 0xFFFF);
        requireInRange("entries of the target SGL", Integer.toUnsignedLong(targetSgl.length()), MIN_SGL_ENTRIES,
                MAX_SGL_ENTRIES);
        requireInRange("bytes of the data buffer", Integer.toUnsignedLong(buffer.length()), 1, MAX_BUFFER_BYTES);
        RemoteSge.requireInAddressSpace("target SGL", targetSgl.address(), (long) RemoteSge.BYTES * targetSgl.length()
                + (long) IomapEntry.BYTES * size);
        RemoteSge.requireInAddressSpace("data buffer", buffer.address(), Integer.toUnsignedLong(buffer.length()));
        return new ConnectData(flags, credits, size, targetSgl, buffer);
    }

    private static void requireInRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ProtocolViolation(
                    "the peer sent " + value + " " + name + ", which is outside " + min + ".." + max);
        }
    }
}
