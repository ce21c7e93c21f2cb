package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.WrOpcode;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a message is segmented: the number of its packets, and the BTH opcode of each. */
final class PacketizerTest {

    /** E17, B27: an empty message has one packet. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0,          256,  1
            1,          256,  1
            255,        256,  1
            256,        256,  1
            257,        256,  2
            512,        256,  2
            513,        256,  3
            0,          4096, 1
            4095,       4096, 1
            4096,       4096, 1
            4097,       4096, 2
            8192,       4096, 2
            8193,       4096, 3
            1048576,    1024, 1024
            1048577,    1024, 1025
            2147483648, 256,  8388608
            2147483648, 4096, 524288
            2147483647, 4096, 524288
            """)
    void aMessageHasAsManyPacketsAsItsLengthNeeds(long length, int mtu, int packets) {
        assertEquals(packets, Message.packets(length, mtu));
    }

    private static String opcodes(WrOpcode opcode, int packets) {
        return IntStream.range(0, packets)
                .mapToObj(i -> name(Packetizer.messageOpcode(opcode.code(), i == 0, i == packets - 1)))
                .collect(Collectors.joining(" "));
    }

    /** The name of the constant of {@link WireOpcode}, of the message opcodes. */
    private static String name(int code) {
        return Arrays.stream(WireOpcode.class.getFields())
                .filter(field -> field.getName().matches("(SEND|WRITE)_.*") && valueOf(field) == code)
                .findFirst().orElseThrow().getName();
    }

    private static int valueOf(Field field) {
        try {
            return field.getInt(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** The columns are the operation, and the opcodes of its packets, of one to four packets. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            SEND,                SEND_ONLY
            SEND,                SEND_FIRST SEND_LAST
            SEND,                SEND_FIRST SEND_MIDDLE SEND_LAST
            SEND,                SEND_FIRST SEND_MIDDLE SEND_MIDDLE SEND_LAST
            SEND_WITH_IMM,       SEND_ONLY_WITH_IMM
            SEND_WITH_IMM,       SEND_FIRST SEND_LAST_WITH_IMM
            SEND_WITH_IMM,       SEND_FIRST SEND_MIDDLE SEND_LAST_WITH_IMM
            SEND_WITH_INV,       SEND_ONLY_WITH_INV
            SEND_WITH_INV,       SEND_FIRST SEND_LAST_WITH_INV
            SEND_WITH_INV,       SEND_FIRST SEND_MIDDLE SEND_LAST_WITH_INV
            RDMA_WRITE,          WRITE_ONLY
            RDMA_WRITE,          WRITE_FIRST WRITE_LAST
            RDMA_WRITE,          WRITE_FIRST WRITE_MIDDLE WRITE_LAST
            RDMA_WRITE,          WRITE_FIRST WRITE_MIDDLE WRITE_MIDDLE WRITE_LAST
            RDMA_WRITE_WITH_IMM, WRITE_ONLY_WITH_IMM
            RDMA_WRITE_WITH_IMM, WRITE_FIRST WRITE_LAST_WITH_IMM
            RDMA_WRITE_WITH_IMM, WRITE_FIRST WRITE_MIDDLE WRITE_LAST_WITH_IMM
            """)
    void thePacketsOfAMessageAreFirstMiddleAndLastOrOnly(WrOpcode opcode, String expected) {
        assertEquals(expected, opcodes(opcode, expected.split(" ").length));
    }

    /** The immediate data is in the last packet. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void thePacketsHaveTheHeadersOfTheirPlace(int packets) {
        for (WrOpcode opcode : new WrOpcode[] {WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.SEND_WITH_INV,
            WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM}) {
            for (int i = 0; i < packets; i++) {
                int code = Packetizer.messageOpcode(opcode.code(), i == 0, i == packets - 1);
                boolean last = i == packets - 1;
                assertEquals(i == 0, WireOpcode.isFirst(code), opcode::name);
                assertEquals(last, WireOpcode.isLast(code), opcode::name);
                assertEquals(last && opcode.name().endsWith("_IMM"), WireOpcode.hasImmediate(code), opcode::name);
                boolean write = opcode.name().startsWith("RDMA_WRITE");
                assertEquals(write ? WireOpcode.KIND_WRITE : WireOpcode.KIND_SEND, WireOpcode.kind(code), opcode::name);
            }
        }
    }
}
