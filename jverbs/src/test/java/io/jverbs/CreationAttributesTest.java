package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the attributes with which objects are created and modified. */
class CreationAttributesTest {
    private static final MemorySegment SEGMENT = MemorySegment.ofArray(new byte[8]);

    @Test
    void queuePairHasTheDocumentedDefaults() {
        QpInitAttributes attributes = QpInitAttributes.builder(QpType.UC).build();

        assertSame(QpType.UC, attributes.type());
        assertEquals(3, attributes.rawType());
        assertEquals(new QpCapabilities(16, 16, 1, 1, 0), attributes.capabilities());
        assertFalse(attributes.signalAll());
        assertFalse(attributes.blockSelfMulticastLoopback());
        assertNull(attributes.sendCq());
        assertNull(attributes.recvCq());
        assertNull(attributes.srq());
        assertNull(attributes.userContext());
    }

    @Test
    void queuePairAttributesKeepEverySize() {
        QpInitAttributes attributes = QpInitAttributes.builder(QpType.RC).maxSendWr(2).maxRecvWr(3).maxSendSge(4)
                .maxRecvSge(5).maxInlineData(6).signalAll(true).userContext("mine").build();

        assertEquals(new QpCapabilities(2, 3, 4, 5, 6), attributes.capabilities());
        assertEquals(2, attributes.maxSendWr());
        assertEquals(3, attributes.maxRecvWr());
        assertEquals(4, attributes.maxSendSge());
        assertEquals(5, attributes.maxRecvSge());
        assertEquals(6, attributes.maxInlineData());
        assertTrue(attributes.signalAll());
        assertEquals("mine", attributes.userContext());
    }

    @Test
    void queuePairTypeMayBeAnyNumber() {
        QpInitAttributes attributes = QpInitAttributes.builderRaw(99).build();

        assertEquals(99, attributes.rawType());
        assertSame(QpType.UNKNOWN, attributes.type());
        assertTrue(attributes.toString().startsWith("QpInitAttributes[type=99, "), attributes.toString());
        assertTrue(QpInitAttributes.builderRaw(4).build().toString().startsWith("QpInitAttributes[type=UD, "));
    }

    @Test
    void theCreationFlagIsShownWhenItIsSet() {
        QpInitAttributes attributes = QpInitAttributes.builder(QpType.UD).blockSelfMulticastLoopback(true).build();

        assertTrue(attributes.blockSelfMulticastLoopback());
        assertTrue(attributes.toString().endsWith(", signalAll=false, blockSelfMulticastLoopback=true]"),
                attributes.toString());
        assertTrue(QpInitAttributes.builder(QpType.UD).build().toString().endsWith(", signalAll=false]"));
    }

    @Test
    void builtQueuePairAttributesDoNotChangeWithTheirBuilder() {
        QpInitAttributes.Builder builder = QpInitAttributes.builder(QpType.RC).maxSendWr(1);
        QpInitAttributes first = builder.build();
        builder.maxSendWr(2);

        assertEquals(1, first.maxSendWr());
        assertEquals(2, builder.build().maxSendWr());
    }

    @Test
    void nullQueuesAreNamed() {
        QpInitAttributes.Builder builder = QpInitAttributes.builder(QpType.RC);

        assertEquals("sendCq", assertThrows(NullPointerException.class, () -> builder.sendCq(null)).getMessage());
        assertEquals("recvCq", assertThrows(NullPointerException.class, () -> builder.recvCq(null)).getMessage());
        assertThrows(NullPointerException.class, () -> builder.cq(null));
        assertEquals("type",
                assertThrows(NullPointerException.class, () -> QpInitAttributes.builder(null)).getMessage());
        assertNull(builder.srq(null).build().srq());
    }

    @Test
    void completionQueueAttributesAreChangedOneByOne() {
        CqInitAttributes attributes = CqInitAttributes.of(10);

        assertEquals(new CqInitAttributes(10, null, 0, null), attributes);
        assertEquals(new CqInitAttributes(10, null, 3, "mine"),
                attributes.withCompletionVector(3).withUserContext("mine"));
        assertEquals(new CqInitAttributes(10, null, 3, "mine"),
                attributes.withUserContext("mine").withCompletionVector(3).withChannel(null));
    }

    @Test
    void sharedReceiveQueueAttributesHaveNoLimitAtFirst() {
        assertEquals(new SrqInitAttributes(10, 2, 0, null), SrqInitAttributes.of(10, 2));
        assertEquals(new SrqInitAttributes(10, 2, 0, "mine"), SrqInitAttributes.of(10, 2).withUserContext("mine"));
    }

    @Test
    void srqModificationContainsOnlyTheGivenValues() {
        assertEquals(OptionalInt.of(4), SrqModification.ofLimit(4).limit());
        assertEquals(OptionalInt.empty(), SrqModification.ofLimit(4).maxWr());
        assertEquals(OptionalInt.of(9), SrqModification.ofMaxWr(9).maxWr());
        assertEquals(OptionalInt.empty(), SrqModification.ofMaxWr(9).limit());
        assertEquals(OptionalInt.of(9), SrqModification.of(9, 4).maxWr());
        assertEquals(OptionalInt.of(4), SrqModification.of(9, 4).limit());
        assertEquals(OptionalInt.of(0), SrqModification.ofLimit(0).limit(),
                "a limit of 0 disarms the event; it is not absent");
    }

    @Test
    void srqModificationsAreEqualByValue() {
        assertEquals(SrqModification.of(9, 4), SrqModification.of(9, 4));
        assertEquals(SrqModification.of(9, 4).hashCode(), SrqModification.of(9, 4).hashCode());
        assertNotEquals(SrqModification.of(9, 4), SrqModification.of(4, 9));
        assertNotEquals(SrqModification.ofLimit(0), SrqModification.of(0, 0));
        assertEquals("SrqModification[maxWr=unchanged, limit=4]", SrqModification.ofLimit(4).toString());
    }

    @Test
    void reregistrationChangesNothingByDefault() {
        Reregistration nothing = Reregistration.builder().build();

        assertTrue(nothing.segment().isEmpty());
        assertTrue(nothing.iova().isEmpty());
        assertTrue(nothing.pd().isEmpty());
        assertTrue(nothing.access().isEmpty());
        assertEquals("Reregistration[segment=unchanged, pd=unchanged, access=unchanged]", nothing.toString());
    }

    @Test
    void reregistrationKeepsTranslationAndAccess() {
        Reregistration change = Reregistration.builder().translation(SEGMENT, 0x1000).access(0).build();

        assertSame(SEGMENT, change.segment().orElseThrow());
        assertEquals(OptionalLong.of(0x1000), change.iova());
        assertEquals(OptionalInt.of(0), change.access(), "access flags of 0 remove all rights; they are not absent");
        assertTrue(change.toString().endsWith(", iova=0x1000, pd=unchanged, access=none]"), change.toString());
    }

    @Test
    void translationWithoutIovaDiscardsAnEarlierIova() {
        assertEquals(OptionalLong.empty(),
                Reregistration.builder().translation(SEGMENT, 7).translation(SEGMENT).build().iova());
    }

    @Test
    void reregistrationRefusesNullByName() {
        Reregistration.Builder builder = Reregistration.builder();

        assertEquals("memory",
                assertThrows(NullPointerException.class, () -> builder.translation(null)).getMessage());
        assertEquals("memory",
                assertThrows(NullPointerException.class, () -> builder.translation(null, 1)).getMessage());
        assertEquals("pd", assertThrows(NullPointerException.class, () -> builder.pd(null)).getMessage());
    }

    @Test
    void bindIsPrintedWithNamesAndHex() {
        assertEquals("MwBind[region=null, address=0x1000, length=16, access=REMOTE_WRITE|ZERO_BASED]",
                new MwBind(null, 0x1000, 16, Access.REMOTE_WRITE | Access.ZERO_BASED).toString());
    }
}
