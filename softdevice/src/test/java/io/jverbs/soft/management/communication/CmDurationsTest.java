package io.jverbs.soft.management.communication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.TemporaryProperties;
import io.jverbs.spi.SystemProperties;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The times of the connection manager. */
final class CmDurationsTest {

    /** K55, K56, K121: the columns are a code of 5 bits, and the milliseconds that Linux takes for it. */
    @ParameterizedTest
    @CsvSource({"0, 1", "8, 1", "9, 2", "17, 512", "18, 1024", "19, 2048", "20, 4096", "24, 65536"})
    void theTimesAreThoseOfLinux(int code, long millis) {
        assertEquals(TimeUnit.MILLISECONDS.toNanos(millis), CmDurations.STANDARD.nanos(code));
        assertEquals(TimeUnit.MILLISECONDS.toNanos(millis) / 16, new CmDurations(16).nanos(code));
    }

    /** K55. */
    @Test
    void aRequestIsRepeatedAfterTwoLifeTimesAndTheResponseTime() {
        assertEquals(TimeUnit.MILLISECONDS.toNanos(6144), CmDurations.STANDARD.requestTimeout(18, 20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1001", "-1", "ten", ""})
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void aDivisorOutOfRangeIsRefused(String value) {
        String message = TemporaryProperties.with(Map.of(SystemProperties.SOFT_CM_DIVISOR, value),
                () -> assertThrows(IllegalArgumentException.class, CmDurations::configured).getMessage());
        assertTrue(message.startsWith("system property jverbs.soft.cm.divisor=" + value
                + ": allowed are integers from 1 to 1000; see docs/testing.md"), message);
    }
}
