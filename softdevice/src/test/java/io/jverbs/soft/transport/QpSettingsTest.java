package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jverbs.AhAttributes;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** D34: the transition to RESET resets every attribute of a queue pair, also one that is added later. */
final class QpSettingsTest {
    private final QpSettings settings = new QpSettings();

    static Stream<Field> attributes() {
        return Arrays.stream(QpSettings.class.getDeclaredFields()).filter(field -> !field.isSynthetic());
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void resetClearsTheAttribute(Field attribute) throws ReflectiveOperationException {
        Object initial = attribute.get(settings);
        if (attribute.getType() == int.class) {
            attribute.setInt(settings, 3);
        } else if (attribute.getType() == boolean.class) {
            attribute.setBoolean(settings, true);
        } else if (attribute.getType() == AhAttributes.class) {
            attribute.set(settings, AhAttributes.builder().build());
        } else {
            assertEquals(SoftAh.class, attribute.getType(), "a type of attribute that this test does not know");
            assertNull(initial);
        }
        settings.clear();
        assertEquals(initial, attribute.get(settings));
    }
}
