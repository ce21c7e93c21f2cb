package io.jverbs.soft.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict reader of the pcapng files that a device writes: one section, little-endian, each interface before its
 * packets. Anything that the standard does not allow, or that a reader would have to guess, is an error.
 */
public final class Pcapng {
    private static final int SECTION = 0x0A0D_0D0A;
    private static final int MAGIC = 0x1A2B_3C4D;
    private static final int LINKTYPE_RAW = 101;

    /**
     * An interface.
     *
     * @param name its name
     * @param snap the maximum number of bytes captured of a packet
     * @param packetsBefore the number of packets that precede it in the file
     */
    public record Interface(String name, int snap, int packetsBefore) {}

    /**
     * The statistics of an interface, at the end of the file.
     *
     * @param name the name of the interface
     * @param received the number of packets received (isb_ifrecv)
     * @param dropped the number of packets dropped (isb_ifdrop)
     */
    public record Statistics(String name, long received, long dropped) {}

    private final ByteBuffer in;
    private final List<Interface> interfaces = new ArrayList<>();
    private final List<RocePacket> packets = new ArrayList<>();
    private final List<Statistics> statistics = new ArrayList<>();

    private Pcapng(byte[] bytes) {
        in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        require(bytes.length >= 28, "no section header");
        boolean first = true;
        while (in.hasRemaining()) {
            block(first);
            first = false;
        }
    }

    /** Reads a whole file. */
    public static Pcapng read(Path file) throws IOException {
        return new Pcapng(Files.readAllBytes(file));
    }

    /** Returns the packets of a file. */
    public static List<RocePacket> packets(Path file) throws IOException {
        return read(file).packets;
    }

    public List<Interface> interfaces() {
        return interfaces;
    }

    public List<RocePacket> packets() {
        return packets;
    }

    public List<Statistics> statistics() {
        return statistics;
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private void block(boolean first) {
        int start = in.position();
        require(in.remaining() >= 12, "the block at " + start + " is truncated");
        int type = in.getInt();
        int length = in.getInt();
        require(length >= 12 && (length & 3) == 0 && length <= in.limit() - start,
                "wrong block length " + length + " at " + start);
        require(in.getInt(start + length - 4) == length, "the two lengths of the block differ at " + start);
        ByteBuffer body = in.slice(start + 8, length - 12).order(ByteOrder.LITTLE_ENDIAN);
        in.position(start + length);
        require(first == (type == SECTION), "the file must start with its only section header; at " + start);
        switch (type) {
            case SECTION -> section(body);
            case 1 -> device(body);
            case 5 -> statistics(body);
            case 6 -> packet(body);
            default -> throw new AssertionError("block type " + type + " at " + start);
        }
        require(!body.hasRemaining(), "unread bytes in the block at " + start);
    }

    private static void section(ByteBuffer body) {
        require(body.getInt() == MAGIC, "wrong byte-order magic");
        require(body.getShort() == 1 && body.getShort() == 0, "wrong version");
        require(body.getLong() == -1, "wrong section length");
        options(body);
    }

    private void device(ByteBuffer body) {
        require(body.getShort() == LINKTYPE_RAW && body.getShort() == 0, "wrong link type");
        int snap = body.getInt();
        Map<Integer, byte[]> options = options(body);
        require(options.get(9).length == 1 && options.get(9)[0] == 9, "wrong time resolution");
        interfaces.add(new Interface(new String(options.get(2), StandardCharsets.UTF_8), snap, packets.size()));
    }

    private static long time(ByteBuffer body) {
        return (body.getInt() & 0xFFFF_FFFFL) << 32 | body.getInt() & 0xFFFF_FFFFL;
    }

    private void packet(ByteBuffer body) {
        int number = body.getInt();
        require(number >= 0 && number < interfaces.size(), "no description of interface " + number + " before its use");
        long nanos = time(body);
        int captured = body.getInt();
        int length = body.getInt();
        Interface on = interfaces.get(number);
        require(captured <= length && captured <= on.snap(),
                "wrong captured length: " + captured + " of " + length + " bytes");
        byte[] bytes = new byte[captured];
        body.get(bytes);
        pad(body, captured);
        byte[] flags = options(body).get(2);
        require(flags.length == 4 && (flags[0] == 1 || flags[0] == 2), "wrong direction");
        packets.add(new RocePacket(on.name(), nanos, flags[0] == 2, length, bytes));
    }

    private void statistics(ByteBuffer body) {
        int number = body.getInt();
        require(number >= 0 && number < interfaces.size(), "no description of interface " + number + " before its use");
        time(body);
        Map<Integer, byte[]> options = options(body);
        statistics.add(new Statistics(interfaces.get(number).name(), number(options.get(4)), number(options.get(5))));
    }

    private static long number(byte[] option) {
        return ByteBuffer.wrap(option).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    private static Map<Integer, byte[]> options(ByteBuffer body) {
        Map<Integer, byte[]> options = new HashMap<>();
        while (true) {
            int code = body.getShort();
            int length = body.getShort();
            if (code == 0) {
                require(length == 0, "opt_endofopt has a value");
                return options;
            }
            byte[] value = new byte[length];
            body.get(value);
            pad(body, length);
            require(options.put(code, value) == null, "option " + code + " occurs twice");
        }
    }

    private static void pad(ByteBuffer body, int length) {
        for (int i = -length & 3; i > 0; i--) {
            require(body.get() == 0, "padding is not zero");
        }
    }
}
