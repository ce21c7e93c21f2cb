package io.jverbs.soft.management.message;

import java.util.Arrays;

/**
 * A management datagram (MAD): 256 bytes, of which the first 24 are a common header. See section 13.4 of the InfiniBand
 * Architecture Specification. This class checks the header only. Not thread-safe.
 */
public final class ManagementDatagram {
    /** The length of every management datagram in bytes. */
    public static final int BYTES = 256;
    /** The length of the common header in bytes. */
    public static final int HEADER_BYTES = 24;
    /** The management class of communication management. */
    public static final int CLASS_CM = 0x07;
    /** The method of all datagrams of communication management. */
    public static final int METHOD_SEND = 0x03;

    private static final int BASE_VERSION = 1;
    private static final int CM_CLASS_VERSION = 2;

    private static final MadField VERSION = MadField.at(0, 8);
    private static final MadField CLASS = MadField.at(1, 8);
    private static final MadField CLASS_VERSION = MadField.at(2, 8);
    private static final MadField METHOD = MadField.at(3, 8);
    private static final MadField TRANSACTION_ID = MadField.at(8, 64);
    private static final MadField ATTRIBUTE_ID = MadField.at(16, 16);
    private static final MadField ATTRIBUTE_MODIFIER = MadField.at(20, 32);

    private final byte[] bytes;

    private ManagementDatagram(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Makes a datagram of communication management whose fields after the header are zero.
     *
     * @param attributeId the attribute
     * @param transactionId the transaction
     */
    static ManagementDatagram ofCm(int attributeId, long transactionId) {
        ManagementDatagram made = new ManagementDatagram(new byte[BYTES]);
        made.set(VERSION, BASE_VERSION);
        made.set(CLASS, CLASS_CM);
        made.set(CLASS_VERSION, CM_CLASS_VERSION);
        made.set(METHOD, METHOD_SEND);
        made.set(TRANSACTION_ID, transactionId);
        made.set(ATTRIBUTE_ID, attributeId);
        return made;
    }

    /**
     * Makes a datagram of received bytes.
     *
     * @param received the bytes, which nobody changes afterwards
     * @return the datagram
     * @throws IllegalArgumentException if there are not 256 bytes
     */
    public static ManagementDatagram of(byte[] received) {
        if (received.length != BYTES) {
            throw new IllegalArgumentException("a management datagram has 256 bytes, not " + received.length);
        }
        return new ManagementDatagram(received);
    }

    /** {@return why this is no message of communication management, or null} */
    public MadRefusal refusal() {
        if (get(VERSION) != BASE_VERSION) {
            return MadRefusal.BASE_VERSION;
        }
        if (get(CLASS) != CLASS_CM) {
            return MadRefusal.MANAGEMENT_CLASS;
        }
        if (get(CLASS_VERSION) != CM_CLASS_VERSION) {
            return MadRefusal.CLASS_VERSION;
        }
        if (get(METHOD) != METHOD_SEND) {
            return MadRefusal.METHOD;
        }
        return attribute() == null ? MadRefusal.ATTRIBUTE : null;
    }

    /** {@return the transaction ID} */
    public long transactionId() {
        return get(TRANSACTION_ID);
    }

    /** {@return the attribute ID} */
    public int attributeId() {
        return (int) get(ATTRIBUTE_ID);
    }

    /** {@return the message that it is, null if its attribute is not one of {@link CmAttribute}} */
    public CmAttribute attribute() {
        return CmAttribute.of(attributeId());
    }

    /** {@return the attribute modifier, which holds the vendor options of ECE} */
    public int attributeModifier() {
        return (int) get(ATTRIBUTE_MODIFIER);
    }

    void attributeModifier(int value) {
        set(ATTRIBUTE_MODIFIER, value);
    }

    long get(MadField field) {
        return field.get(bytes);
    }

    void set(MadField field, long value) {
        field.set(bytes, value);
    }

    /** Returns the bytes from an offset to the end, or as many as a field has. */
    byte[] get(int offset, int length) {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** Writes bytes; those after them, up to the length of the field, stay zero. */
    void set(int offset, int length, byte[] value) {
        if (value.length > length) {
            throw new IllegalArgumentException("the field has " + length + " bytes, not " + value.length);
        }
        System.arraycopy(value, 0, bytes, offset, value.length);
    }

    /** {@return a copy of the 256 bytes} */
    public byte[] toBytes() {
        return bytes.clone();
    }
}
