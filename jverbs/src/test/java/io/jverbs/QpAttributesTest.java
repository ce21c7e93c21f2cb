package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QpAttributesTest {
    private static final AhAttributes PATH = AhAttributes.to(Gid.parse("fe80::1"), 1, 2);
    private static final AhAttributes OTHER_PATH = AhAttributes.to(Gid.parse("fe80::2"), 1, 3);

    /**
     * An attribute with its mask bit, a value, the value of its getter when it is absent, its setter and its getter.
     */
    private record Sample<T>(QpAttribute attribute, int bit, T value, T absent,
            BiFunction<QpAttributes.Builder, T, QpAttributes.Builder> setter, Function<QpAttributes, T> getter) {

        QpAttributes.Builder set(QpAttributes.Builder builder) {
            return setter.apply(builder, value);
        }

        T get(QpAttributes attributes) {
            return getter.apply(attributes);
        }

        @Override
        public String toString() {
            return attribute + " = " + value;
        }
    }

    static Stream<Sample<?>> samples() {
        return Stream.of(
                new Sample<>(QpAttribute.STATE, 0, QpState.RTS, null,
                        QpAttributes.Builder::state, QpAttributes::state),
                new Sample<>(QpAttribute.STATE, 0, 77, 0, QpAttributes.Builder::rawState, QpAttributes::rawState),
                new Sample<>(QpAttribute.CUR_STATE, 1, QpState.SQD, null,
                        QpAttributes.Builder::currentState, QpAttributes::currentState),
                new Sample<>(QpAttribute.EN_SQD_ASYNC_NOTIFY, 2, true, false,
                        QpAttributes.Builder::enableSqdAsyncNotify, QpAttributes::enableSqdAsyncNotify),
                new Sample<>(QpAttribute.ACCESS_FLAGS, 3, 5, 0,
                        QpAttributes.Builder::accessFlags, QpAttributes::accessFlags),
                new Sample<>(QpAttribute.PKEY_INDEX, 4, 6, 0, QpAttributes.Builder::pkeyIndex, QpAttributes::pkeyIndex),
                new Sample<>(QpAttribute.PORT, 5, 2, 0, QpAttributes.Builder::port, QpAttributes::port),
                new Sample<>(QpAttribute.QKEY, 6, 0x8000_0001, 0, QpAttributes.Builder::qkey, QpAttributes::qkey),
                new Sample<>(QpAttribute.AV, 7, PATH, null,
                        QpAttributes.Builder::addressVector, QpAttributes::addressVector),
                new Sample<>(QpAttribute.PATH_MTU, 8, Mtu.MTU_512, null,
                        QpAttributes.Builder::pathMtu, QpAttributes::pathMtu),
                new Sample<>(QpAttribute.PATH_MTU, 8, 9, 0,
                        QpAttributes.Builder::rawPathMtu, QpAttributes::rawPathMtu),
                new Sample<>(QpAttribute.TIMEOUT, 9, 14, 0, QpAttributes.Builder::timeout, QpAttributes::timeout),
                new Sample<>(QpAttribute.RETRY_CNT, 10, 7, 0,
                        QpAttributes.Builder::retryCount, QpAttributes::retryCount),
                new Sample<>(QpAttribute.RNR_RETRY, 11, 3, 0, QpAttributes.Builder::rnrRetry, QpAttributes::rnrRetry),
                new Sample<>(QpAttribute.RQ_PSN, 12, 0x12_3456, 0, QpAttributes.Builder::rqPsn, QpAttributes::rqPsn),
                new Sample<>(QpAttribute.MAX_QP_RD_ATOMIC, 13, 16, 0,
                        QpAttributes.Builder::maxRdAtomic, QpAttributes::maxRdAtomic),
                new Sample<>(QpAttribute.ALT_PATH, 14, OTHER_PATH, null,
                        QpAttributes.Builder::alternatePath, QpAttributes::alternatePath),
                new Sample<>(QpAttribute.MIN_RNR_TIMER, 15, 12, 0,
                        QpAttributes.Builder::minRnrTimer, QpAttributes::minRnrTimer),
                new Sample<>(QpAttribute.SQ_PSN, 16, -1, 0, QpAttributes.Builder::sqPsn, QpAttributes::sqPsn),
                new Sample<>(QpAttribute.MAX_DEST_RD_ATOMIC, 17, 8, 0,
                        QpAttributes.Builder::maxDestRdAtomic, QpAttributes::maxDestRdAtomic),
                new Sample<>(QpAttribute.PATH_MIG_STATE, 18, PathMigrationState.ARMED, null,
                        QpAttributes.Builder::pathMigrationState, QpAttributes::pathMigrationState),
                new Sample<>(QpAttribute.DEST_QPN, 20, 0x11, 0,
                        QpAttributes.Builder::destinationQpn, QpAttributes::destinationQpn));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void attributeIsPresentWithItsValueOnceSet(Sample<?> sample) {
        QpAttributes attributes = sample.set(QpAttributes.builder()).build();

        assertEquals(1 << sample.bit, sample.attribute.bit());
        assertEquals(1 << sample.bit, attributes.mask());
        assertTrue(attributes.present(sample.attribute));
        assertEquals(sample.value, sample.get(attributes));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void attributeIsAbsentUntilSetAndAfterItsRemoval(Sample<?> sample) {
        QpAttributes empty = QpAttributes.builder().build();
        QpAttributes removed = sample.set(QpAttributes.builder()).without(sample.attribute).build();

        assertFalse(empty.present(sample.attribute));
        assertEquals(sample.absent, sample.get(empty));
        assertEquals(sample.absent, sample.get(removed));
        assertEquals(empty, removed);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void removingOneAttributeKeepsTheOthers(Sample<?> sample) {
        QpAttributes all = all();
        QpAttributes rest = all.toBuilder().without(sample.attribute).build();

        assertEquals(all.mask() & ~(1 << sample.bit), rest.mask());
        assertNotEquals(all, rest);
        assertEquals(sample.set(all.toBuilder()).build(), sample.set(rest.toBuilder()).build());
    }

    private static QpAttributes all() {
        QpAttributes.Builder builder = QpAttributes.builder();
        samples().forEach(sample -> sample.set(builder));
        return builder.state(QpState.RTS).pathMtu(Mtu.MTU_512).build();
    }

    @Test
    void toBuilderCopiesAllAttributes() {
        QpAttributes all = all().toBuilder().sqDraining(true).build();

        assertEquals(all, all.toBuilder().build());
        assertEquals(all.hashCode(), all.toBuilder().build().hashCode());
    }

    @Test
    void builtAttributesDoNotChangeWithTheirBuilder() {
        QpAttributes.Builder builder = QpAttributes.builder().port(1);
        QpAttributes first = builder.build();
        builder.port(2).qkey(5);
        first.toBuilder().port(3);

        assertEquals(1, first.port());
        assertFalse(first.present(QpAttribute.QKEY));
    }

    @Test
    void valuesOutOfRangeAreKept() {
        QpAttributes attributes = QpAttributes.builder().rawState(7).rawPathMtu(0).timeout(99).build();

        assertSame(QpState.UNKNOWN, attributes.state());
        assertEquals(7, attributes.rawState());
        assertSame(Mtu.UNKNOWN, attributes.pathMtu());
        assertEquals(99, attributes.timeout());
    }

    @Test
    void sqDrainingIsNotPartOfTheMask() {
        QpAttributes attributes = QpAttributes.builder().sqDraining(true).build();

        assertTrue(attributes.sqDraining());
        assertEquals(0, attributes.mask());
        assertFalse(QpAttributes.builder().build().sqDraining());
        assertNotEquals(QpAttributes.builder().build(), attributes);
    }

    @Test
    void attributesAreEqualByValueAndPresence() {
        assertEquals(QpAttributes.builder().port(1).build(), QpAttributes.builder().port(1).build());
        assertNotEquals(QpAttributes.builder().port(1).build(), QpAttributes.builder().port(2).build());
        assertNotEquals(QpAttributes.builder().pkeyIndex(0).build(), QpAttributes.builder().build());
        assertNotEquals(QpAttributes.builder().addressVector(PATH).build(),
                QpAttributes.builder().addressVector(OTHER_PATH).build());
        assertNotEquals(QpAttributes.builder().alternatePath(PATH).build(),
                QpAttributes.builder().alternatePath(OTHER_PATH).build());
    }

    @Test
    void onlyPresentAttributesArePrinted() {
        assertEquals("QpAttributes[]", QpAttributes.builder().build().toString());
        assertEquals("QpAttributes[STATE=RTR, PATH_MTU=MTU_1024, RQ_PSN=0x00000a, MIN_RNR_TIMER=12, DEST_QPN=0x000011]",
                QpAttributes.builder().destinationQpn(0x11).rqPsn(10).minRnrTimer(12).pathMtu(Mtu.MTU_1024)
                        .state(QpState.RTR).build().toString());
        assertEquals("QpAttributes[STATE=9, EN_SQD_ASYNC_NOTIFY=false, ACCESS_FLAGS=LOCAL_WRITE|REMOTE_READ, "
                + "QKEY=0x80010000, PATH_MTU=6, PATH_MIG_STATE=REARM, draining]",
                QpAttributes.builder().rawState(9).accessFlags(5).qkey(0x8001_0000).rawPathMtu(6)
                        .enableSqdAsyncNotify(false).pathMigrationState(PathMigrationState.REARM).sqDraining(true)
                        .build().toString());
        assertTrue(all().toString().contains("AV=" + PATH + ","), all().toString());
        assertTrue(all().toString().contains("ALT_PATH=" + OTHER_PATH + ","), all().toString());
    }

    @Test
    void maskIsReadAsASetAndUnknownBitsAreIgnored() {
        assertEquals(EnumSet.of(QpAttribute.STATE, QpAttribute.PORT), QpAttribute.ofMask(0x21));
        assertEquals(EnumSet.allOf(QpAttribute.class), QpAttribute.ofMask(-1));
        assertEquals(EnumSet.noneOf(QpAttribute.class), QpAttribute.ofMask(1 << 25));
        assertEquals(1 << 19, QpAttribute.CAP.bit());
    }

    @Test
    void settersRefuseNullByName() {
        QpAttributes.Builder builder = QpAttributes.builder();

        assertEquals("state", assertThrows(NullPointerException.class, () -> builder.state(null)).getMessage());
        assertEquals("addressVector",
                assertThrows(NullPointerException.class, () -> builder.addressVector(null)).getMessage());
        assertEquals("pathMtu", assertThrows(NullPointerException.class, () -> builder.pathMtu(null)).getMessage());
        assertEquals(0, builder.build().mask());
        assertNull(builder.build().addressVector());
    }
}
