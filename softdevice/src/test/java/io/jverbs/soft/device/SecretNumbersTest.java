package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.jverbs.Access;
import io.jverbs.Gid;
import io.jverbs.ProtectionDomain;
import io.jverbs.Psn;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.fabric.udp.ScriptedDevice;
import java.lang.reflect.Field;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A secure generator generates what attackers must not guess: keys, first queue pair numbers and first PSNs. */
final class SecretNumbersTest {
    private static final Gid GID = Gid.parse("::ffff:192.0.2.1");

    /** Returns the keys of two regions and the number of the first queue pair. */
    private static List<Integer> generated(long seed) {
        ScriptedDevice device = new ScriptedDevice(GID, new RealTimers(), new Random(seed), (packet, to) -> {});
        try (RdmaContext context = device.open()) {
            ProtectionDomain pd = context.allocatePd();
            return List.of(pd.allocate(8, Access.REMOTE_READ).rkey(), pd.allocate(8, Access.REMOTE_READ).rkey(),
                    pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(context.createCompletionQueue(1))
                            .build()).number());
        }
    }

    @Test
    void keysAndQueuePairNumbersComeFromTheGenerator() {
        assertEquals(generated(1), generated(1));
        for (int i = 0; i < 3; i++) {
            assertNotEquals(generated(1).get(i), generated(2).get(i));
        }
    }

    static List<String> devices() {
        return List.of("soft", LoopbackAddress.wired());
    }

    @ParameterizedTest
    @MethodSource("devices")
    void theGeneratorOfADeviceIsSecure(String selector) throws Exception {
        try (RdmaContext context = Verbs.open(selector)) {
            SoftContext ops = (SoftContext) field(context, "ops");
            Object keys = field(ops.device().keyTable(), "numbers");
            assertInstanceOf(SecureRandom.class, field(keys, "random"));
        }
    }

    @Test
    void theGeneratorOfPsnsIsSecure() throws Exception {
        Field random = Psn.class.getDeclaredField("RANDOM");
        random.setAccessible(true);
        assertInstanceOf(SecureRandom.class, random.get(null));
    }

    private static Object field(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
}
