package io.jverbs.soft;

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
import io.jverbs.soft.fabric.RealTimers;
import java.lang.reflect.Field;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.api.Test;

/** What a stranger must not guess comes from a secure generator: remote keys, first queue pair numbers, first PSNs. */
final class SecretNumbersTest {
    private static final Gid GID = Gid.parse("::ffff:192.0.2.1");

    /** The key of a region, that of another, and the number of the first queue pair. */
    private static List<Integer> drawn(long seed) {
        ScriptedDevice device = new ScriptedDevice(GID, new RealTimers(), new Random(seed), (packet, to) -> {});
        try (RdmaContext context = device.open()) {
            ProtectionDomain pd = context.allocatePd();
            return List.of(pd.allocate(8, Access.REMOTE_READ).rkey(), pd.allocate(8, Access.REMOTE_READ).rkey(),
                    pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(context.createCompletionQueue(1))
                            .build()).number());
        }
    }

    @Test
    void keysAndNumbersAreWhatTheGeneratorDraws() {
        assertEquals(drawn(1), drawn(1));
        for (int i = 0; i < 3; i++) {
            assertNotEquals(drawn(1).get(i), drawn(2).get(i));
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
            Object keys = field(ops.device().regions(), "numbers");
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
