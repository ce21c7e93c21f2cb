package io.jverbs.soft.wire;

/**
 * The opcodes of the BTH: 3 bits of transport, 5 bits of operation. A table holds one word of properties for each
 * opcode, so that each query is a load and a mask. Opcodes that the device does not support (RD, XRC, FLUSH,
 * ATOMIC_WRITE and the reserved ones) are not {@linkplain #isKnown known}: they have no header except the BTH, and no
 * payload.
 */
public final class WireOpcode {
    /** Transport: reliable connection. */
    public static final int RC = 0x00;
    /** Transport: unreliable connection. */
    public static final int UC = 0x20;
    /** Transport: unreliable datagram. */
    public static final int UD = 0x60;
    /** Transport: congestion notification. */
    public static final int CNP_CLASS = 0x80;

    /** SEND, the first packet; also the base for {@link #part}. */
    public static final int SEND_FIRST = 0x00;
    /** SEND, a middle packet. */
    public static final int SEND_MIDDLE = 0x01;
    /** SEND, the last packet. */
    public static final int SEND_LAST = 0x02;
    /** SEND, the last packet, with immediate data. */
    public static final int SEND_LAST_WITH_IMM = 0x03;
    /** SEND, the only packet. */
    public static final int SEND_ONLY = 0x04;
    /** SEND, the only packet, with immediate data. */
    public static final int SEND_ONLY_WITH_IMM = 0x05;
    /** RDMA WRITE, the first packet; also the base for {@link #part}. */
    public static final int WRITE_FIRST = 0x06;
    /** RDMA WRITE, a middle packet. */
    public static final int WRITE_MIDDLE = 0x07;
    /** RDMA WRITE, the last packet. */
    public static final int WRITE_LAST = 0x08;
    /** RDMA WRITE, the last packet, with immediate data. */
    public static final int WRITE_LAST_WITH_IMM = 0x09;
    /** RDMA WRITE, the only packet. */
    public static final int WRITE_ONLY = 0x0A;
    /** RDMA WRITE, the only packet, with immediate data. */
    public static final int WRITE_ONLY_WITH_IMM = 0x0B;
    /** RDMA READ, the request. */
    public static final int READ_REQUEST = 0x0C;
    /** RDMA READ response, the first packet. */
    public static final int READ_RESPONSE_FIRST = 0x0D;
    /** RDMA READ response, a middle packet. */
    public static final int READ_RESPONSE_MIDDLE = 0x0E;
    /** RDMA READ response, the last packet. */
    public static final int READ_RESPONSE_LAST = 0x0F;
    /** RDMA READ response, the only packet. */
    public static final int READ_RESPONSE_ONLY = 0x10;
    /** An ACK or a NAK. */
    public static final int ACKNOWLEDGE = 0x11;
    /** The response to an atomic. */
    public static final int ATOMIC_ACKNOWLEDGE = 0x12;
    /** Compare and swap. */
    public static final int COMPARE_SWAP = 0x13;
    /** Fetch and add. */
    public static final int FETCH_ADD = 0x14;
    /** SEND, the last packet, with an R_Key to invalidate. */
    public static final int SEND_LAST_WITH_INV = 0x16;
    /** SEND, the only packet, with an R_Key to invalidate. */
    public static final int SEND_ONLY_WITH_INV = 0x17;
    /** A datagram. */
    public static final int UD_SEND_ONLY = UD | SEND_ONLY;
    /** A datagram with immediate data. */
    public static final int UD_SEND_ONLY_WITH_IMM = UD | SEND_ONLY_WITH_IMM;
    /** Congestion notification. */
    public static final int CNP = 0x81;

    /** Kind: an opcode that the device does not support. */
    public static final int KIND_UNKNOWN = 0;
    /** Kind: a SEND, of any transport. */
    public static final int KIND_SEND = 1;
    /** Kind: an RDMA WRITE. */
    public static final int KIND_WRITE = 2;
    /** Kind: the request of an RDMA READ. */
    public static final int KIND_READ_REQUEST = 3;
    /** Kind: an atomic. */
    public static final int KIND_ATOMIC = 4;
    /** Kind: a packet of an RDMA READ response. This kind and the next two are responses to a requester. */
    public static final int KIND_READ_RESPONSE = 5;
    /** Kind: an ACK or a NAK. */
    public static final int KIND_ACKNOWLEDGE = 6;
    /** Kind: the response to an atomic. */
    public static final int KIND_ATOMIC_ACKNOWLEDGE = 7;
    /** Kind: a congestion notification. */
    public static final int KIND_CNP = 8;

    /** The offset of the first header after the BTH: of every extension header except the second of two. */
    static final int EXTENSION = Bth.BYTES;
    /** The offset of the AtomicAckETH, which follows the AETH. */
    static final int ATOMIC_ACK_ETH = EXTENSION + Aeth.BYTES;
    static final int CNP_RESERVED = 16;

    // The properties of an opcode: the length of its headers, its kind, and these bits.
    static final int FIRST = 1 << 10;
    static final int LAST = 1 << 11;
    static final int PAYLOAD = 1 << 12;
    static final int HAS_DETH = 1 << 13;
    static final int HAS_RETH = 1 << 14;
    static final int HAS_AETH = 1 << 15;
    static final int HAS_ATOMIC_ETH = 1 << 16;
    static final int HAS_ATOMIC_ACK_ETH = 1 << 17;
    static final int HAS_IMM_DT = 1 << 18;
    static final int HAS_IETH = 1 << 19;
    static final int EXTENSIONS = HAS_DETH | HAS_RETH | HAS_AETH | HAS_ATOMIC_ETH | HAS_ATOMIC_ACK_ETH | HAS_IMM_DT
            | HAS_IETH;
    private static final int ONLY = FIRST | LAST;
    private static final int LENGTH_MASK = 0x3F;
    private static final int KIND_SHIFT = 6;
    private static final int KIND_MASK = 0xF;

    private static final int COUNT = 256;
    private static final int CLASS_MASK = 0xE0;
    private static final int[] TRAITS = new int[COUNT];
    private static final String[] NAMES = new String[COUNT];

    static {
        for (int opcode = 0; opcode < COUNT; opcode++) {
            TRAITS[opcode] = Bth.BYTES;
            NAMES[opcode] = String.format("opcode 0x%02x", opcode);
        }
        connected("RC_", RC);
        connected("UC_", UC);
        define(READ_REQUEST, "RC_READ_REQUEST", KIND_READ_REQUEST, ONLY | HAS_RETH);
        define(READ_RESPONSE_FIRST, "RC_READ_RESPONSE_FIRST", KIND_READ_RESPONSE, FIRST | HAS_AETH | PAYLOAD);
        define(READ_RESPONSE_MIDDLE, "RC_READ_RESPONSE_MIDDLE", KIND_READ_RESPONSE, PAYLOAD);
        define(READ_RESPONSE_LAST, "RC_READ_RESPONSE_LAST", KIND_READ_RESPONSE, LAST | HAS_AETH | PAYLOAD);
        define(READ_RESPONSE_ONLY, "RC_READ_RESPONSE_ONLY", KIND_READ_RESPONSE, ONLY | HAS_AETH | PAYLOAD);
        define(ACKNOWLEDGE, "RC_ACKNOWLEDGE", KIND_ACKNOWLEDGE, ONLY | HAS_AETH);
        define(ATOMIC_ACKNOWLEDGE, "RC_ATOMIC_ACKNOWLEDGE", KIND_ATOMIC_ACKNOWLEDGE,
                ONLY | HAS_AETH | HAS_ATOMIC_ACK_ETH);
        define(COMPARE_SWAP, "RC_COMPARE_SWAP", KIND_ATOMIC, ONLY | HAS_ATOMIC_ETH);
        define(FETCH_ADD, "RC_FETCH_ADD", KIND_ATOMIC, ONLY | HAS_ATOMIC_ETH);
        define(SEND_LAST_WITH_INV, "RC_SEND_LAST_WITH_INV", KIND_SEND, LAST | HAS_IETH | PAYLOAD);
        define(SEND_ONLY_WITH_INV, "RC_SEND_ONLY_WITH_INV", KIND_SEND, ONLY | HAS_IETH | PAYLOAD);
        define(UD_SEND_ONLY, "UD_SEND_ONLY", KIND_SEND, ONLY | HAS_DETH | PAYLOAD);
        define(UD_SEND_ONLY_WITH_IMM, "UD_SEND_ONLY_WITH_IMM", KIND_SEND, ONLY | HAS_DETH | HAS_IMM_DT | PAYLOAD);
        define(CNP, "CNP", KIND_CNP, ONLY);
    }

    private WireOpcode() {}

    /** Defines the opcodes that RC and UC share. */
    private static void connected(String prefix, int transport) {
        messages(prefix + "SEND_", transport | SEND_FIRST, KIND_SEND, 0);
        messages(prefix + "WRITE_", transport | WRITE_FIRST, KIND_WRITE, HAS_RETH);
    }

    private static void messages(String prefix, int first, int kind, int firstHeader) {
        define(first, prefix + "FIRST", kind, FIRST | firstHeader | PAYLOAD);
        define(first + 1, prefix + "MIDDLE", kind, PAYLOAD);
        define(first + 2, prefix + "LAST", kind, LAST | PAYLOAD);
        define(first + 3, prefix + "LAST_WITH_IMM", kind, LAST | HAS_IMM_DT | PAYLOAD);
        define(first + 4, prefix + "ONLY", kind, ONLY | firstHeader | PAYLOAD);
        define(first + 5, prefix + "ONLY_WITH_IMM", kind, ONLY | firstHeader | HAS_IMM_DT | PAYLOAD);
    }

    private static void define(int opcode, String name, int kind, int traits) {
        int length = Bth.BYTES + length(traits, HAS_DETH, Deth.BYTES) + length(traits, HAS_RETH, Reth.BYTES)
                + length(traits, HAS_AETH, Aeth.BYTES) + length(traits, HAS_ATOMIC_ETH, AtomicEth.BYTES)
                + length(traits, HAS_ATOMIC_ACK_ETH, AtomicAckEth.BYTES) + length(traits, HAS_IMM_DT, ImmDt.BYTES)
                + length(traits, HAS_IETH, Ieth.BYTES) + (kind == KIND_CNP ? CNP_RESERVED : 0);
        TRAITS[opcode] = traits | kind << KIND_SHIFT | length;
        NAMES[opcode] = name;
    }

    private static int length(int traits, int header, int bytes) {
        return (traits & header) != 0 ? bytes : 0;
    }

    /** Returns the properties of an opcode, of which the low 8 bits are used. */
    static int traits(int opcode) {
        return TRAITS[opcode & COUNT - 1];
    }

    static int headerLengthOf(int traits) {
        return traits & LENGTH_MASK;
    }

    static int kindOf(int traits) {
        return traits >>> KIND_SHIFT & KIND_MASK;
    }

    /**
     * {@return the transport: {@link #RC}, {@link #UC}, {@link #UD}, {@link #CNP_CLASS} or one that the device does not
     * support}
     *
     * @param opcode the opcode, of which this method and the following ones use the low 8 bits
     */
    public static int transport(int opcode) {
        return opcode & CLASS_MASK;
    }

    /** Returns whether the device supports the transport of an opcode. */
    static boolean isTransport(int opcode) {
        int transport = transport(opcode);
        return transport == RC || transport == UC || transport == UD || transport == CNP_CLASS;
    }

    /**
     * {@return whether the device supports an opcode}
     *
     * @param opcode the opcode
     */
    public static boolean isKnown(int opcode) {
        return kindOf(traits(opcode)) != KIND_UNKNOWN;
    }

    /**
     * {@return the kind of an opcode: one of the KIND constants}
     *
     * @param opcode the opcode
     */
    public static int kind(int opcode) {
        return kindOf(traits(opcode));
    }

    /**
     * {@return whether a packet with an opcode is a response to a requester}
     *
     * @param opcode the opcode
     */
    public static boolean isResponse(int opcode) {
        int kind = kind(opcode);
        return kind >= KIND_READ_RESPONSE && kind <= KIND_ATOMIC_ACKNOWLEDGE;
    }

    /**
     * {@return whether a packet with an opcode begins a message: FIRST, ONLY, and operations of a single packet}
     *
     * @param opcode the opcode
     */
    public static boolean isFirst(int opcode) {
        return (traits(opcode) & FIRST) != 0;
    }

    /**
     * {@return whether a packet with an opcode ends a message: LAST, ONLY, and operations of a single packet}
     *
     * @param opcode the opcode
     */
    public static boolean isLast(int opcode) {
        return (traits(opcode) & LAST) != 0;
    }

    /**
     * {@return whether a payload may follow the headers}
     *
     * @param opcode the opcode
     */
    public static boolean hasPayload(int opcode) {
        return (traits(opcode) & PAYLOAD) != 0;
    }

    /**
     * {@return whether a packet with an opcode has immediate data}
     *
     * @param opcode the opcode
     */
    public static boolean hasImmediate(int opcode) {
        return (traits(opcode) & HAS_IMM_DT) != 0;
    }

    /**
     * {@return whether a packet with an opcode has an R_Key to invalidate}
     *
     * @param opcode the opcode
     */
    public static boolean hasInvalidate(int opcode) {
        return (traits(opcode) & HAS_IETH) != 0;
    }

    /**
     * {@return whether a packet with an opcode has a RETH}
     *
     * @param opcode the opcode
     */
    public static boolean hasReth(int opcode) {
        return (traits(opcode) & HAS_RETH) != 0;
    }

    /**
     * {@return the length of the BTH and the extension headers in bytes, which is the offset of the payload}
     *
     * @param opcode the opcode
     */
    public static int headerLength(int opcode) {
        return headerLengthOf(traits(opcode));
    }

    /**
     * {@return the opcode of one packet of a SEND or WRITE}
     *
     * @param base {@link #SEND_FIRST} or {@link #WRITE_FIRST}, with the transport
     * @param first whether the packet begins the message
     * @param last whether the packet ends the message
     * @param immediate whether the message has immediate data, which its last packet carries
     */
    public static int part(int base, boolean first, boolean last, boolean immediate) {
        if (!last) {
            return first ? base : base + (SEND_MIDDLE - SEND_FIRST);
        }
        int opcode = first ? base + (SEND_ONLY - SEND_FIRST) : base + (SEND_LAST - SEND_FIRST);
        return immediate ? opcode + (SEND_ONLY_WITH_IMM - SEND_ONLY) : opcode;
    }

    /**
     * {@return the opcode of one packet of a READ response}
     *
     * @param first whether the packet begins the response
     * @param last whether the packet ends the response
     */
    public static int readResponsePart(boolean first, boolean last) {
        if (last) {
            return first ? READ_RESPONSE_ONLY : READ_RESPONSE_LAST;
        }
        return first ? READ_RESPONSE_FIRST : READ_RESPONSE_MIDDLE;
    }

    /**
     * {@return the name of an opcode, for messages}
     *
     * @param opcode the opcode
     */
    public static String name(int opcode) {
        return NAMES[opcode & COUNT - 1];
    }
}
