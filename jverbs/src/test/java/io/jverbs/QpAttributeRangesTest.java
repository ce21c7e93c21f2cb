package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests catalogue items A11, A23, A25, D11, D17 and D18: the ranges of attribute values and of the fields of an address
 * vector.
 */
class QpAttributeRangesTest {
    /** All limits differ, so that a check against the wrong limit fails. */
    private static final DeviceAttributes DEVICE = DeviceAttributes.builder().portCount(3).maxQpInitRdAtom(17)
            .maxQpRdAtom(23).build();
    private static final PortAttributes ETHERNET = PortAttributes.builder().state(PortState.ACTIVE)
            .maxMtu(Mtu.MTU_4096).activeMtu(Mtu.MTU_2048).gidTableLength(5).pkeyTableLength(7).build();
    private static final PortAttributes INFINIBAND = ETHERNET.toBuilder().linkLayer(LinkLayer.INFINIBAND).build();
    private static final Gid PEER = Gid.parse("fe80::1");

    private static void check(QpAttributes attributes, PortAttributes port) {
        QpTransitions.checkRanges(QpType.RC, attributes, DEVICE, port);
    }

    private static String refusal(QpAttributes attributes, PortAttributes port) {
        VerbsException e = assertThrows(VerbsException.class, () -> check(attributes, port), attributes::toString);
        assertSame(Errno.EINVAL, e.error());
        assertEquals("modify_qp", e.operation());
        return e.getMessage();
    }

    @FunctionalInterface
    interface Setter {
        QpAttributes.Builder set(QpAttributes.Builder builder, int value);
    }

    @FunctionalInterface
    interface PathSetter {
        AhAttributes.Builder set(AhAttributes.Builder builder, int value);
    }

    static Stream<Arguments> attributes() {
        return Stream.of(
                Arguments.of("port", 1, 3, (Setter) QpAttributes.Builder::port),
                Arguments.of("pkeyIndex", 0, 6, (Setter) QpAttributes.Builder::pkeyIndex),
                Arguments.of("pathMtu", 1, 4, (Setter) QpAttributes.Builder::rawPathMtu),
                Arguments.of("timeout", 0, 31, (Setter) QpAttributes.Builder::timeout),
                Arguments.of("retryCount", 0, 7, (Setter) QpAttributes.Builder::retryCount),
                Arguments.of("rnrRetry", 0, 7, (Setter) QpAttributes.Builder::rnrRetry),
                Arguments.of("minRnrTimer", 0, 31, (Setter) QpAttributes.Builder::minRnrTimer),
                Arguments.of("maxRdAtomic", 0, 17, (Setter) QpAttributes.Builder::maxRdAtomic),
                Arguments.of("maxDestRdAtomic", 0, 23, (Setter) QpAttributes.Builder::maxDestRdAtomic),
                Arguments.of("destinationQpn", 0, 0xff_ffff, (Setter) QpAttributes.Builder::destinationQpn));
    }

    @ParameterizedTest(name = "{0} is {1}..{2}")
    @MethodSource("attributes")
    void attributeIsAcceptedWithinItsRangeOnly(String name, int min, int max, Setter setter) {
        for (int value : new int[] {min, (min + max) / 2, max}) {
            assertDoesNotThrow(() -> check(setter.set(QpAttributes.builder(), value).build(), ETHERNET));
        }
        for (int value : new int[] {min - 1, max + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            String message = refusal(setter.set(QpAttributes.builder(), value).build(), ETHERNET);
            long shown = name.equals("destinationQpn") ? Integer.toUnsignedLong(value) : value;
            assertEquals("modify_qp: EINVAL (22): " + name + " " + shown + " is outside " + min + ".." + max, message);
        }
    }

    static Stream<Arguments> pathAttributes() {
        return Stream.of(
                Arguments.of("port", 1, 3, (PathSetter) AhAttributes.Builder::port),
                Arguments.of("sgidIndex", 0, 4, (PathSetter) AhAttributes.Builder::sgidIndex),
                Arguments.of("hopLimit", 0, 255, (PathSetter) AhAttributes.Builder::hopLimit),
                Arguments.of("trafficClass", 0, 255, (PathSetter) AhAttributes.Builder::trafficClass),
                Arguments.of("flowLabel", 0, 0xf_ffff, (PathSetter) AhAttributes.Builder::flowLabel),
                Arguments.of("serviceLevel", 0, 15, (PathSetter) AhAttributes.Builder::serviceLevel),
                Arguments.of("dlid", 0, 0xffff, (PathSetter) AhAttributes.Builder::dlid),
                Arguments.of("sourcePathBits", 0, 127, (PathSetter) AhAttributes.Builder::sourcePathBits),
                Arguments.of("staticRate", 0, 255, (PathSetter) AhAttributes.Builder::staticRate));
    }

    @ParameterizedTest(name = "{0} is {1}..{2}")
    @MethodSource("pathAttributes")
    void pathAttributeIsAcceptedWithinItsRangeOnly(String name, int min, int max, PathSetter setter) {
        for (int value : new int[] {min, max}) {
            AhAttributes path = setter.set(AhAttributes.builder().destination(PEER), value).build();
            assertDoesNotThrow(() -> path.checkRanges("create_ah", DEVICE, ETHERNET));
            assertDoesNotThrow(() -> check(QpAttributes.builder().addressVector(path).build(), ETHERNET));
        }
        for (int value : new int[] {min - 1, max + 1}) {
            AhAttributes path = setter.set(AhAttributes.builder().destination(PEER), value).build();
            String complaint = "EINVAL (22): " + name + " " + value + " is outside " + min + ".." + max;
            assertEquals("create_ah: " + complaint, assertThrows(VerbsException.class,
                    () -> path.checkRanges("create_ah", DEVICE, ETHERNET)).getMessage());
            assertEquals("modify_qp: " + complaint,
                    refusal(QpAttributes.builder().addressVector(path).build(), ETHERNET));
            assertEquals("modify_qp: " + complaint,
                    refusal(QpAttributes.builder().alternatePath(path).build(), INFINIBAND));
        }
    }

    @Test
    void pathThatIsNotGlobalIsRefusedOnEthernetOnly() {
        AhAttributes path = AhAttributes.builder().global(false).dlid(7).sgidIndex(99).build();

        assertDoesNotThrow(() -> check(QpAttributes.builder().addressVector(path).build(), INFINIBAND));
        assertTrue(refusal(QpAttributes.builder().addressVector(path).build(), ETHERNET).contains("not global"));
    }

    @Test
    void alternatePathIsRefusedOnEthernetBeforeAnyRange() {
        QpAttributes attributes = QpAttributes.builder().alternatePath(AhAttributes.to(PEER, 1, 0)).port(0).build();

        assertEquals("modify_qp: EINVAL (22): ALT_PATH is not allowed for an RC queue pair on an Ethernet port, which "
                + "does not support alternate paths: remove it", refusal(attributes, ETHERNET));
        assertTrue(refusal(attributes, INFINIBAND).contains("port 0 is outside 1..3"));
        assertDoesNotThrow(() -> check(attributes.toBuilder().port(1).build(), INFINIBAND));
    }

    @ParameterizedTest
    @EnumSource(value = Mtu.class, mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void pathMtuIsLimitedByTheActiveMtuOfThePort(Mtu active) {
        PortAttributes port = ETHERNET.toBuilder().activeMtu(active).build();
        for (Mtu mtu : Mtu.values()) {
            QpAttributes attributes = QpAttributes.builder().pathMtu(mtu).build();
            if (mtu != Mtu.UNKNOWN && mtu.bytes() <= active.bytes()) {
                assertDoesNotThrow(() -> check(attributes, port));
            } else {
                assertEquals("modify_qp: EINVAL (22): pathMtu " + mtu.code() + " is outside 1.." + active.code(),
                        refusal(attributes, port));
            }
        }
    }

    @Test
    void portWithoutAnActiveMtuAllowsEveryMtuCode() {
        PortAttributes port = ETHERNET.toBuilder().activeMtu(Mtu.UNKNOWN).build();

        assertDoesNotThrow(() -> check(QpAttributes.builder().pathMtu(Mtu.MTU_4096).build(), port));
        assertTrue(refusal(QpAttributes.builder().rawPathMtu(6).build(), port).contains("pathMtu 6 is outside 1..5"));
    }

    @ParameterizedTest
    @CsvSource({"0, true", "0x1f, true", "0x3ff, true", "0x100000, true", "0x3ff00000, true", "0x400, false",
        "0x80000, false", "0x40000000, false", "0x80000001, false"})
    void undefinedAccessFlagsAreRefusedOutsideTheOptionalRange(String text, boolean acceptable) {
        int flags = Long.decode(text).intValue();
        QpAttributes attributes = QpAttributes.builder().accessFlags(flags).build();
        if (acceptable) {
            assertDoesNotThrow(() -> check(attributes, ETHERNET));
        } else {
            assertEquals("modify_qp: EINVAL (22): accessFlags " + Access.toString(flags)
                    + " has undefined bits: " + Access.toString(flags & ~1), refusal(attributes, ETHERNET));
        }
    }

    @Test
    void unknownMigrationStateIsRefused() {
        assertDoesNotThrow(() -> check(
                QpAttributes.builder().pathMigrationState(PathMigrationState.ARMED).build(), ETHERNET));
        assertTrue(refusal(QpAttributes.builder().pathMigrationState(PathMigrationState.UNKNOWN).build(), ETHERNET)
                .contains("pathMigrationState -1 is outside 0..2"));
    }

    @Test
    void sequenceNumbersAndKeysMayHaveAnyValue() {
        for (int value : new int[] {0, 0xff_ffff, 0x100_0000, -1}) {
            assertDoesNotThrow(() -> check(
                    QpAttributes.builder().sqPsn(value).rqPsn(value).qkey(value).build(), ETHERNET));
        }
    }

    @Test
    void absentAttributesAreNotChecked() {
        DeviceAttributes nothing = DeviceAttributes.builder().portCount(0).build();
        PortAttributes bare = PortAttributes.builder().build();

        assertDoesNotThrow(() -> QpTransitions.checkRanges(QpType.UD, QpAttributes.builder().build(), nothing, bare));
    }

    @Test
    void tablesWithoutEntriesAcceptNoIndex() {
        PortAttributes bare = PortAttributes.builder().build();
        Consumer<QpAttributes> check = attributes -> check(attributes, bare);

        assertThrows(VerbsException.class, () -> check.accept(QpAttributes.builder().pkeyIndex(0).build()));
        assertThrows(VerbsException.class,
                () -> check.accept(QpAttributes.builder().addressVector(AhAttributes.to(PEER, 1, 0)).build()));
    }
}
