package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the records that have a builder: each setter sets its own component, and toBuilder copies all of them. */
class AttributeRecordsTest {

    /** Returns a value that differs from those of the other components of the record, as far as the type allows. */
    private static Object distinctValue(Class<?> type, int place) {
        if (type == int.class) {
            return 1000 + place;
        }
        if (type == long.class) {
            return (1L << 40) + place;
        }
        if (type == boolean.class) {
            return false;
        }
        if (type == String.class) {
            return "text " + place;
        }
        if (type == Gid.class) {
            return Gid.of(1, place);
        }
        Object[] constants = type.getEnumConstants();
        return constants[place % (constants.length - 1)];
    }

    private static Object filled(Class<?> type) throws ReflectiveOperationException {
        Object builder = type.getMethod("builder").invoke(null);
        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            builder.getClass().getMethod(components[i].getName(), components[i].getType())
                    .invoke(builder, distinctValue(components[i].getType(), i));
        }
        return builder.getClass().getMethod("build").invoke(builder);
    }

    @ParameterizedTest
    @ValueSource(classes = {DeviceAttributes.class, PortAttributes.class, AhAttributes.class})
    void everySetterSetsItsComponent(Class<?> type) throws ReflectiveOperationException {
        Object filled = filled(type);

        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            assertEquals(distinctValue(components[i].getType(), i), components[i].getAccessor().invoke(filled),
                    components[i].getName());
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {DeviceAttributes.class, PortAttributes.class, AhAttributes.class})
    void toBuilderCopiesAllValues(Class<?> type) throws ReflectiveOperationException {
        Object filled = filled(type);
        Object builder = type.getMethod("toBuilder").invoke(filled);
        Object empty = type.getMethod("builder").invoke(null);

        assertEquals(filled, builder.getClass().getMethod("build").invoke(builder));
        assertNotEquals(filled, empty.getClass().getMethod("build").invoke(empty));
    }

    @ParameterizedTest
    @ValueSource(classes = {DeviceAttributes.class, PortAttributes.class, AhAttributes.class})
    void settersRefuseNullByName(Class<?> type) throws ReflectiveOperationException {
        Object builder = type.getMethod("builder").invoke(null);
        for (RecordComponent component : type.getRecordComponents()) {
            if (!component.getType().isPrimitive()) {
                Method setter = builder.getClass().getMethod(component.getName(), component.getType());
                Throwable cause = assertThrows(InvocationTargetException.class,
                        () -> setter.invoke(builder, (Object) null)).getCause();
                assertEquals(component.getName(), assertInstanceOf(NullPointerException.class, cause).getMessage());
            }
        }
    }

    @Test
    void pathHasTheDocumentedDefaults() {
        Gid peer = Gid.parse("192.0.2.7");
        AhAttributes path = AhAttributes.to(peer, 2, 3);

        assertEquals(new AhAttributes(peer, 3, 2, 64, 0, 0, 0, 0, 0, 0, true), path);
        assertEquals(new AhAttributes(Gid.ZERO, 0, 1, 64, 0, 0, 0, 0, 0, 0, true), AhAttributes.builder().build());
    }

    @Test
    void deviceHasTheDocumentedDefaults() {
        DeviceAttributes device = DeviceAttributes.builder().build();

        assertEquals("", device.fwVersion());
        assertEquals(1, device.portCount());
        assertEquals(1, device.completionVectors());
        assertEquals(NodeType.CA, device.nodeType());
        assertEquals(TransportType.IB, device.transportType());
        assertEquals(AtomicCapability.NONE, device.atomicCapability());
        assertEquals(0, device.maxQp());
    }

    @Test
    void portHasTheDocumentedDefaults() {
        PortAttributes port = PortAttributes.builder().build();

        assertEquals(PortState.DOWN, port.state());
        assertEquals(Mtu.MTU_4096, port.maxMtu());
        assertEquals(Mtu.MTU_4096, port.activeMtu());
        assertEquals(LinkLayer.ETHERNET, port.linkLayer());
        assertEquals(0, port.gidTableLength());
    }

    @Test
    void gidEntryNeedsGidAndType() {
        assertEquals("gid", assertThrows(NullPointerException.class,
                () -> new GidEntry(null, 0, 1, GidType.ROCE_V2, 0)).getMessage());
        assertEquals("type", assertThrows(NullPointerException.class,
                () -> new GidEntry(Gid.ZERO, 0, 1, null, 0)).getMessage());
    }
}
