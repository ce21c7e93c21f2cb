package io.jverbs.soft.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Catalogue entry L17: the number, headers and position in a message of each opcode. */
final class WireOpcodeTest {
    private static final Map<String, Integer> LENGTHS = Map.of("DETH", 8, "RETH", 16, "AETH", 4, "AtomicETH", 28,
            "AtomicAckETH", 8, "Imm", 4, "IETH", 4, "reserved", 16, "pay", 0);
    private static final String TABLE = """
            00 RC_SEND_FIRST: pay
            01 RC_SEND_MIDDLE: pay
            02 RC_SEND_LAST: pay
            03 RC_SEND_LAST_WITH_IMM: Imm pay
            04 RC_SEND_ONLY: pay
            05 RC_SEND_ONLY_WITH_IMM: Imm pay
            06 RC_WRITE_FIRST: RETH pay
            07 RC_WRITE_MIDDLE: pay
            08 RC_WRITE_LAST: pay
            09 RC_WRITE_LAST_WITH_IMM: Imm pay
            0A RC_WRITE_ONLY: RETH pay
            0B RC_WRITE_ONLY_WITH_IMM: RETH Imm pay
            0C RC_READ_REQUEST: RETH
            0D RC_READ_RESPONSE_FIRST: AETH pay
            0E RC_READ_RESPONSE_MIDDLE: pay
            0F RC_READ_RESPONSE_LAST: AETH pay
            10 RC_READ_RESPONSE_ONLY: AETH pay
            11 RC_ACKNOWLEDGE: AETH
            12 RC_ATOMIC_ACKNOWLEDGE: AETH AtomicAckETH
            13 RC_COMPARE_SWAP: AtomicETH
            14 RC_FETCH_ADD: AtomicETH
            16 RC_SEND_LAST_WITH_INV: IETH pay
            17 RC_SEND_ONLY_WITH_INV: IETH pay
            20 UC_SEND_FIRST: pay
            21 UC_SEND_MIDDLE: pay
            22 UC_SEND_LAST: pay
            23 UC_SEND_LAST_WITH_IMM: Imm pay
            24 UC_SEND_ONLY: pay
            25 UC_SEND_ONLY_WITH_IMM: Imm pay
            26 UC_WRITE_FIRST: RETH pay
            27 UC_WRITE_MIDDLE: pay
            28 UC_WRITE_LAST: pay
            29 UC_WRITE_LAST_WITH_IMM: Imm pay
            2A UC_WRITE_ONLY: RETH pay
            2B UC_WRITE_ONLY_WITH_IMM: RETH Imm pay
            64 UD_SEND_ONLY: DETH pay
            65 UD_SEND_ONLY_WITH_IMM: DETH Imm pay
            81 CNP: reserved
            """;

    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, String[]> parts = new HashMap<>();

    WireOpcodeTest() {
        TABLE.lines().forEach(line -> {
            int opcode = Integer.parseInt(line.substring(0, 2), 16);
            names.put(opcode, line.substring(3, line.indexOf(':')));
            parts.put(opcode, line.substring(line.indexOf(':') + 2).split(" "));
        });
    }

    @Test
    void knownOpcodesMatchTable() {
        assertEquals(names.keySet(), new HashSet<>(Packets.OPCODES));
        names.forEach((opcode, name) -> assertEquals(name, WireOpcode.name(opcode)));
        assertEquals("opcode 0x1c", WireOpcode.name(0x1C), "FLUSH is not supported");
        assertEquals(0x60, WireOpcode.transport(WireOpcode.UD_SEND_ONLY_WITH_IMM));
    }

    @Test
    void headersMatchTable() {
        parts.forEach((opcode, headers) -> {
            var has = new HashSet<>(java.util.List.of(headers));
            int length = Bth.BYTES + has.stream().mapToInt(LENGTHS::get).sum();
            String name = names.get(opcode);
            assertEquals(length, WireOpcode.headerLength(opcode), name);
            assertEquals(has.contains("pay"), WireOpcode.hasPayload(opcode), name);
            assertEquals(has.contains("Imm"), WireOpcode.hasImmediate(opcode), name);
            assertEquals(has.contains("IETH"), WireOpcode.hasInvalidate(opcode), name);
            assertEquals(has.contains("RETH"), WireOpcode.hasReth(opcode), name);
        });
    }

    @Test
    void positionInMessageAndKindMatchName() {
        names.forEach((opcode, name) -> {
            boolean multiPacket = name.contains("_FIRST") || name.contains("_MIDDLE") || name.contains("_LAST");
            assertEquals(!multiPacket || name.contains("_FIRST"), WireOpcode.isFirst(opcode), name);
            assertEquals(!multiPacket || name.contains("_LAST"), WireOpcode.isLast(opcode), name);
            assertEquals(kind(name), WireOpcode.kind(opcode), name);
            assertEquals(name.contains("RESPONSE") || name.contains("ACKNOWLEDGE"), WireOpcode.isResponse(opcode),
                    name);
        });
    }

    private static int kind(String name) {
        if (name.contains("SEND")) {
            return WireOpcode.KIND_SEND;
        }
        if (name.contains("WRITE")) {
            return WireOpcode.KIND_WRITE;
        }
        return switch (name) {
            case "RC_READ_REQUEST" -> WireOpcode.KIND_READ_REQUEST;
            case "RC_ACKNOWLEDGE" -> WireOpcode.KIND_ACKNOWLEDGE;
            case "RC_ATOMIC_ACKNOWLEDGE" -> WireOpcode.KIND_ATOMIC_ACKNOWLEDGE;
            case "RC_COMPARE_SWAP", "RC_FETCH_ADD" -> WireOpcode.KIND_ATOMIC;
            case "CNP" -> WireOpcode.KIND_CNP;
            default -> WireOpcode.KIND_READ_RESPONSE;
        };
    }

    @Test
    void unknownOpcodesHaveNoTraits() {
        for (int opcode = 0; opcode < 256; opcode++) {
            if (!names.containsKey(opcode)) {
                assertEquals(WireOpcode.KIND_UNKNOWN, WireOpcode.kind(opcode));
                assertEquals(Bth.BYTES, WireOpcode.headerLength(opcode));
                assertFalse(WireOpcode.hasPayload(opcode) || WireOpcode.isFirst(opcode) || WireOpcode.isLast(opcode)
                        || WireOpcode.isResponse(opcode), WireOpcode.name(opcode));
            }
        }
    }

    @Test
    void partsOfMessageHaveTheirOpcodes() {
        for (String message : new String[] {"RC_SEND", "RC_WRITE", "UC_SEND", "UC_WRITE"}) {
            int base = (message.startsWith("UC") ? WireOpcode.UC : WireOpcode.RC)
                    | (message.endsWith("SEND") ? WireOpcode.SEND_FIRST : WireOpcode.WRITE_FIRST);
            for (boolean immediate : new boolean[] {false, true}) {
                String with = immediate ? "_WITH_IMM" : "";
                assertPart(message + "_FIRST", WireOpcode.part(base, true, false, immediate));
                assertPart(message + "_MIDDLE", WireOpcode.part(base, false, false, immediate));
                assertPart(message + "_LAST" + with, WireOpcode.part(base, false, true, immediate));
                assertPart(message + "_ONLY" + with, WireOpcode.part(base, true, true, immediate));
            }
        }
        assertPart("RC_READ_RESPONSE_FIRST", WireOpcode.readResponsePart(true, false));
        assertPart("RC_READ_RESPONSE_MIDDLE", WireOpcode.readResponsePart(false, false));
        assertPart("RC_READ_RESPONSE_LAST", WireOpcode.readResponsePart(false, true));
        assertPart("RC_READ_RESPONSE_ONLY", WireOpcode.readResponsePart(true, true));
    }

    private static void assertPart(String name, int opcode) {
        assertTrue(WireOpcode.isKnown(opcode));
        assertEquals(name, WireOpcode.name(opcode));
    }
}
