package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jverbs.QpType;
import io.jverbs.WrOpcode;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.rc.ReliableConnection;
import io.jverbs.soft.transport.uc.UnreliableConnection;
import io.jverbs.soft.transport.ud.UnreliableDatagram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a transport service offers. */
final class ServiceTypeTest {

    private static ServiceType service(QpType type) {
        return switch (type) {
            case RC -> new ReliableConnection();
            case UC -> new UnreliableConnection();
            default -> new UnreliableDatagram();
        };
    }

    /** D27, G12, L27: the columns are the type, the upper bits of its BTH opcodes, and its properties. */
    @ParameterizedTest
    @CsvSource({"RC, 0x00, true, true", "UC, 0x20, false, true", "UD, 0x60, false, false"})
    void aServiceHasItsOpcodesAndIsReliableAndConnectedOrNot(QpType type, String transport, boolean reliable,
            boolean connected) {
        assertEquals(Integer.decode(transport), service(type).wireTransport());
        assertEquals(reliable, service(type).isReliable());
        assertEquals(connected, service(type).isConnected());
    }

    /** E10, G2, H1: the operations of RC, UC and UD, as in ibv_post_send(3), and whether they may be inline (E14). */
    @ParameterizedTest
    @CsvSource(textBlock = """
            RDMA_WRITE,           true, true,  false, true
            RDMA_WRITE_WITH_IMM,  true, true,  false, true
            SEND,                 true, true,  true,  true
            SEND_WITH_IMM,        true, true,  true,  true
            RDMA_READ,            true, false, false, false
            ATOMIC_CMP_AND_SWP,   true, false, false, false
            ATOMIC_FETCH_AND_ADD, true, false, false, false
            LOCAL_INV,            true, true,  false, false
            BIND_MW,              true, true,  false, false
            SEND_WITH_INV,        true, false, false, true
            """)
    void anOperationIsLegalForSomeServices(WrOpcode opcode, boolean rc, boolean uc, boolean ud, boolean inline) {
        int code = opcode.code();
        assertEquals(rc, WrOpcodeCode.isLegal(service(QpType.RC).legalOperations(), code));
        assertEquals(uc, WrOpcodeCode.isLegal(service(QpType.UC).legalOperations(), code));
        assertEquals(ud, WrOpcodeCode.isLegal(service(QpType.UD).legalOperations(), code));
        assertEquals(inline, WrOpcodeCode.mayBeInline(code));
    }

    /** E10: an opcode that libibverbs does not define, or that this device does not know, is illegal. */
    @ParameterizedTest
    @CsvSource({"-1", "10", "31", "32", "34", "2147483647", "-2147483648"})
    void anUnknownOperationIsIllegal(int code) {
        for (QpType type : new QpType[] {QpType.RC, QpType.UC, QpType.UD}) {
            assertFalse(WrOpcodeCode.isLegal(service(type).legalOperations(), code));
        }
        assertFalse(WrOpcodeCode.mayBeInline(code));
    }
}
