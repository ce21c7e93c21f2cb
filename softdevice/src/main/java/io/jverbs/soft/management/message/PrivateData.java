package io.jverbs.soft.management.message;

import java.util.Arrays;
import java.util.HexFormat;

/** The private data of a message: bytes that two programs exchange. Immutable; equal if the bytes are. */
public final class PrivateData {
    /** No bytes. */
    public static final PrivateData NONE = new PrivateData(new byte[0]);

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * The place of private data in a message.
     *
     * @param offset its offset in the datagram
     * @param length its length in bytes
     */
    record Field(int offset, int length) {

        PrivateData read(ManagementDatagram mad) {
            return new PrivateData(mad.get(offset, length));
        }

        void write(ManagementDatagram mad, PrivateData data) {
            mad.set(offset, length, data.bytes);
        }
    }

    /**
     * {@return private data with a copy of bytes}
     *
     * @param bytes the bytes
     */
    public static PrivateData of(byte[] bytes) {
        return new PrivateData(bytes.clone());
    }

    /** {@return a copy of the bytes} */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** {@return the number of bytes} */
    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrivateData that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
