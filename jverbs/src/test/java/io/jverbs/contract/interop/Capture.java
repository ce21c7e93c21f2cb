package io.jverbs.contract.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A running dumpcap on the interface in the network namespace "peer", and the RoCEv2 packets of its file. */
final class Capture {
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int ETHERNET = 14;
    private static final int UDP = 8;
    private static final int IPV4 = 0x0800;
    private static final int PROTOCOL_UDP = 17;
    private static final int UDP_PORT = 4791;

    /**
     * A captured packet.
     *
     * @param source the last byte of the sender's address
     * @param payload the bytes from the BTH to the ICRC
     */
    record Packet(int source, byte[] payload) {

        int opcode() {
            return payload[0] & 0xFF;
        }

        int destinationQpn() {
            return ByteBuffer.wrap(payload).getInt(4) & 0xFF_FFFF;
        }
    }

    private final Path file;
    private final Process process;

    /** Starts dumpcap, and returns when it captures packets. */
    Capture(Path file) throws IOException {
        this.file = file;
        process = new ProcessBuilder("ip", "netns", "exec", "peer", "dumpcap", "-P", "-i", "veth1", "-f",
                "udp port " + UDP_PORT, "-w", file.toString()).redirectErrorStream(true).start();
        BufferedReader printed = process.inputReader();
        String line = printed.readLine();
        StringBuilder lines = new StringBuilder();
        while (line != null && !line.startsWith("File:")) {
            lines.append(line).append('\n');
            line = printed.readLine();
        }
        Faulty.check(line != null, "dumpcap did not start to capture: %s", lines);
        Thread.ofPlatform().daemon().start(() -> discard(printed));
    }

    private static void discard(Reader printed) {
        try {
            printed.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            // dumpcap has ended
        }
    }

    void end() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    /** Returns the packets that are in the file so far. */
    List<Packet> packets() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        List<Packet> packets = new ArrayList<>();
        int at = FILE_HEADER;
        while (at + RECORD_HEADER <= bytes.limit()) {
            int length = bytes.getInt(at + 8);
            at += RECORD_HEADER;
            if (at + length > bytes.limit()) {
                break;
            }
            Packet packet = packet(bytes.slice(at, length).order(ByteOrder.BIG_ENDIAN));
            if (packet != null) {
                packets.add(packet);
            }
            at += length;
        }
        return packets;
    }

    private static Packet packet(ByteBuffer frame) {
        if (frame.limit() < ETHERNET + 20 + UDP || frame.getShort(12) != IPV4
                || frame.get(ETHERNET + 9) != PROTOCOL_UDP) {
            return null;
        }
        int udp = ETHERNET + (frame.get(ETHERNET) & 0xF) * Integer.BYTES;
        if ((frame.getShort(udp + 2) & 0xFFFF) != UDP_PORT) {
            return null;
        }
        byte[] payload = new byte[(frame.getShort(udp + 4) & 0xFFFF) - UDP];
        frame.get(udp + UDP, payload);
        return new Packet(frame.get(ETHERNET + 15) & 0xFF, payload);
    }
}
