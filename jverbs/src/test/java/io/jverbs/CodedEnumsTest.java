package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the enums that represent numbers of the C headers: their numbers, and the lookup by number. */
class CodedEnumsTest {

    /** An enum, and the numbers of its constants in the headers, in ascending order. */
    private record Coded<E extends Enum<E>>(E[] values, ToIntFunction<E> code, IntFunction<E> of, String numbers) {

        E unknown() {
            return values[values.length - 1];
        }
    }

    private static <E extends Enum<E>> Arguments coded(E[] values, ToIntFunction<E> code, IntFunction<E> of,
            String numbers) {
        return Arguments.of(Named.of(values[0].getDeclaringClass().getSimpleName(),
                new Coded<>(values, code, of, numbers)));
    }

    static Stream<Arguments> enums() {
        return Stream.of(
                coded(QpState.values(), QpState::code, QpState::of, "RESET 0 INIT 1 RTR 2 RTS 3 SQD 4 SQE 5 ERR 6"),
                coded(QpType.values(), QpType::code, QpType::of, "RC 2 UC 3 UD 4"),
                coded(WrOpcode.values(), WrOpcode::code, WrOpcode::of,
                        "RDMA_WRITE 0 RDMA_WRITE_WITH_IMM 1 SEND 2 SEND_WITH_IMM 3 RDMA_READ 4 "
                                + "ATOMIC_CMP_AND_SWP 5 ATOMIC_FETCH_AND_ADD 6 LOCAL_INV 7 BIND_MW 8 "
                                + "SEND_WITH_INV 9 TSO 10 DRIVER1 11 FLUSH 14 ATOMIC_WRITE 15"),
                coded(WcOpcode.values(), WcOpcode::code, WcOpcode::of,
                        "SEND 0 RDMA_WRITE 1 RDMA_READ 2 COMP_SWAP 3 FETCH_ADD 4 BIND_MW 5 LOCAL_INV 6 "
                                + "TSO 7 FLUSH 8 ATOMIC_WRITE 9 RECV 128 RECV_RDMA_WITH_IMM 129"),
                coded(WcStatus.values(), WcStatus::code, WcStatus::of,
                        "SUCCESS 0 LOC_LEN_ERR 1 LOC_QP_OP_ERR 2 LOC_EEC_OP_ERR 3 LOC_PROT_ERR 4 "
                                + "WR_FLUSH_ERR 5 MW_BIND_ERR 6 BAD_RESP_ERR 7 LOC_ACCESS_ERR 8 REM_INV_REQ_ERR 9 "
                                + "REM_ACCESS_ERR 10 REM_OP_ERR 11 RETRY_EXC_ERR 12 RNR_RETRY_EXC_ERR 13 "
                                + "LOC_RDD_VIOL_ERR 14 REM_INV_RD_REQ_ERR 15 REM_ABORT_ERR 16 INV_EECN_ERR 17 "
                                + "INV_EEC_STATE_ERR 18 FATAL_ERR 19 RESP_TIMEOUT_ERR 20 GENERAL_ERR 21 TM_ERR 22 "
                                + "TM_RNDV_INCOMPLETE 23"),
                coded(Mtu.values(), Mtu::code, Mtu::of, "MTU_256 1 MTU_512 2 MTU_1024 3 MTU_2048 4 MTU_4096 5"),
                coded(PortState.values(), PortState::code, PortState::of,
                        "NOP 0 DOWN 1 INIT 2 ARMED 3 ACTIVE 4 ACTIVE_DEFER 5"),
                coded(LinkLayer.values(), LinkLayer::code, LinkLayer::of, "UNSPECIFIED 0 INFINIBAND 1 ETHERNET 2"),
                coded(GidType.values(), GidType::code, GidType::of, "IB 0 ROCE_V1 1 ROCE_V2 2"),
                coded(AtomicCapability.values(), AtomicCapability::code, AtomicCapability::of,
                        "NONE 0 HCA 1 GLOB 2"),
                coded(MwType.values(), MwType::code, MwType::of, "TYPE_1 1 TYPE_2 2"),
                coded(AsyncEventType.values(), AsyncEventType::code, AsyncEventType::of,
                        "CQ_ERR 0 QP_FATAL 1 QP_REQ_ERR 2 QP_ACCESS_ERR 3 COMM_EST 4 SQ_DRAINED 5 "
                                + "PATH_MIG 6 PATH_MIG_ERR 7 DEVICE_FATAL 8 PORT_ACTIVE 9 PORT_ERR 10 "
                                + "LID_CHANGE 11 PKEY_CHANGE 12 SM_CHANGE 13 SRQ_ERR 14 SRQ_LIMIT_REACHED 15 "
                                + "QP_LAST_WQE_REACHED 16 CLIENT_REREGISTER 17 GID_CHANGE 18 WQ_FATAL 19 "
                                + "DEVICE_SPEED_CHANGE 20"),
                coded(NodeType.values(), NodeType::code, NodeType::of,
                        "CA 1 SWITCH 2 ROUTER 3 RNIC 4 USNIC 5 USNIC_UDP 6 UNSPECIFIED 7"),
                coded(TransportType.values(), TransportType::code, TransportType::of,
                        "IB 0 IWARP 1 USNIC 2 USNIC_UDP 3 UNSPECIFIED 4"),
                coded(PathMigrationState.values(), PathMigrationState::code, PathMigrationState::of,
                        "MIGRATED 0 REARM 1 ARMED 2"),
                coded(Errno.values(), Errno::code, Errno::of,
                        "EPERM 1 ENOENT 2 EINTR 4 EIO 5 ENXIO 6 EBADF 9 EAGAIN 11 ENOMEM 12 EACCES 13 EFAULT 14 "
                                + "EBUSY 16 EEXIST 17 ENODEV 19 ENOTDIR 20 EISDIR 21 EINVAL 22 ENFILE 23 EMFILE 24 "
                                + "ENOSPC 28 EROFS 30 EPIPE 32 ERANGE 34 ENAMETOOLONG 36 ENOSYS 38 ELOOP 40 ENODATA 61 "
                                + "EPROTO 71 EOVERFLOW 75 ENOTSOCK 88 EDESTADDRREQ 89 EMSGSIZE 90 EPROTOTYPE 91 "
                                + "ENOPROTOOPT 92 EPROTONOSUPPORT 93 ESOCKTNOSUPPORT 94 EOPNOTSUPP 95 EPFNOSUPPORT 96 "
                                + "EAFNOSUPPORT 97 EADDRINUSE 98 EADDRNOTAVAIL 99 ENETDOWN 100 ENETUNREACH 101 "
                                + "ENETRESET 102 ECONNABORTED 103 ECONNRESET 104 ENOBUFS 105 EISCONN 106 ENOTCONN 107 "
                                + "ETIMEDOUT 110 ECONNREFUSED 111 EHOSTDOWN 112 EHOSTUNREACH 113 EREMOTEIO 121 "
                                + "ECANCELED 125"));
    }

    @ParameterizedTest
    @MethodSource("enums")
    <E extends Enum<E>> void constantsHaveTheNumbersOfTheHeaders(Coded<E> coded) {
        String actual = Arrays.stream(coded.values).filter(value -> value != coded.unknown())
                .map(value -> value + " " + coded.code.applyAsInt(value)).collect(Collectors.joining(" "));

        assertEquals(coded.numbers, actual);
    }

    @ParameterizedTest
    @MethodSource("enums")
    <E extends Enum<E>> void everyNumberMapsToItsConstantOrUnknown(Coded<E> coded) {
        Map<Integer, E> byCode = new TreeMap<>();
        for (E value : coded.values) {
            byCode.put(coded.code.applyAsInt(value), value);
        }

        for (int code = -2; code <= 300; code++) {
            assertSame(byCode.getOrDefault(code, coded.unknown()), coded.of.apply(code), "number " + code);
        }
        assertSame(coded.unknown(), coded.of.apply(Integer.MAX_VALUE));
        assertSame(coded.unknown(), coded.of.apply(Integer.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("enums")
    <E extends Enum<E>> void unknownIsMinusOne(Coded<E> coded) {
        assertEquals("UNKNOWN", coded.unknown().name());
        assertEquals(-1, coded.code.applyAsInt(coded.unknown()));
    }

    @Test
    void mtusAreThePowersOfTwoFrom256To4096() {
        assertEquals("[256, 512, 1024, 2048, 4096, 0]",
                Arrays.stream(Mtu.values()).map(Mtu::bytes).toList().toString());
    }

    @Test
    void mtusAreFoundByTheirExactSize() {
        for (Mtu mtu : Mtu.values()) {
            assertSame(mtu, Mtu.ofBytes(mtu.bytes()));
            assertSame(Mtu.UNKNOWN, Mtu.ofBytes(mtu.bytes() + 1));
            assertSame(Mtu.UNKNOWN, Mtu.ofBytes(-mtu.bytes()));
        }
        assertSame(Mtu.UNKNOWN, Mtu.ofBytes(128));
        assertSame(Mtu.UNKNOWN, Mtu.ofBytes(8192));
    }

    @Test
    void errnoDescriptionsMatchStrerror() {
        assertEquals("Cannot allocate memory", Errno.ENOMEM.description());
        assertEquals("Invalid argument", Errno.EINVAL.description());
        assertEquals("Device or resource busy", Errno.EBUSY.description());
    }
}
