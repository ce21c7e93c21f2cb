package io.jverbs.soft.management.message;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The messages of a conversation of two kernels of Linux 6.1: 10.9.0.2 connects to 10.9.0.1 with rping, rdma_client,
 * ucmatose, udaddy, rstream. The file has two lines for each message: its name and the last byte of the sender's
 * address; the datagram.
 */
public final class KernelMessages {
    private KernelMessages() {}

    /** A message: its name, the last byte of its sender's address, and the datagram. */
    record Vector(String name, String sender, byte[] datagram) {
        @Override
        public String toString() {
            return name + " of 10.9.0." + sender;
        }
    }

    static List<Vector> vectors() throws IOException {
        try (InputStream in = KernelMessages.class.getResourceAsStream("kernel-messages.txt")) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
            return IntStream.range(0, lines.size() / 2).mapToObj(i -> {
                String[] names = lines.get(2 * i).split(" ");
                return new Vector(names[0], names[1], HexFormat.of().parseHex(lines.get(2 * i + 1)));
            }).toList();
        }
    }

    /** Returns the decoded message. */
    static CmMessage decode(Vector vector) {
        return CmMessage.decode(ManagementDatagram.of(vector.datagram));
    }

    /** Returns the messages of a type, in the order of the conversation. */
    public static <T extends CmMessage> List<T> of(Class<T> type) throws IOException {
        return vectors().stream().map(KernelMessages::decode).filter(type::isInstance).map(type::cast).toList();
    }
}
