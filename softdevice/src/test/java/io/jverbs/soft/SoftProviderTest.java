package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.control.DeviceRemoval;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which device a selector selects, and how an invalid selector is refused. */
final class SoftProviderTest {

    @Test
    void softSelectsDeviceZeroAndEachNumberAnotherDevice() {
        assertEquals("soft0", Verbs.select("soft").name());
        assertEquals(Verbs.select("soft"), Verbs.select("soft:soft0"));
        RdmaDevice other = Verbs.select("soft:soft37");
        assertEquals("soft:soft37", other.selector());
        assertNotEquals(Verbs.select("soft").nodeGuid(), other.nodeGuid());
        try (RdmaContext first = Verbs.open("soft"); RdmaContext second = other.open()) {
            assertNotEquals(first.preferredGid(1).gid(), second.preferredGid(1).gid());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft:mlx5_0", "soft:soft01", "soft:soft", "soft:soft1?seed=7", "soft:soft-1"})
    void anInvalidSelectorIsRefusedWithTheGrammar(String selector) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> Verbs.select(selector));
        assertTrue(refusal.getMessage().contains("soft[:softN], N from 0 to 255"), refusal.getMessage());
    }

    @Test
    void aNumberAboveTheMaximumSelectsNoDevice() {
        VerbsException refusal = assertThrows(VerbsException.class, () -> Verbs.select("soft:soft256"));
        assertEquals(Errno.ENODEV, refusal.error());
    }

    @Test
    void aRemovedDeviceIsNotListedAndItsNameSelectsANewOne() {
        RdmaDevice removed = Verbs.select("soft:soft99");
        removed.capability(DeviceRemoval.class).orElseThrow().remove();
        assertTrue(Verbs.devices().stream().noneMatch(removed::equals));
        assertEquals(Errno.EIO, assertThrows(VerbsException.class, removed::open).error());
        try (RdmaContext again = Verbs.open("soft:soft99")) {
            assertNotEquals(removed, again.device());
        }
    }
}
