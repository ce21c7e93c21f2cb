package io.jverbs.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The sockets that the system property selects. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SocketsTest {
    private static final String PROPERTY = "jverbs.soft.udp";

    private static String missing(String selected) {
        System.setProperty(PROPERTY, selected);
        return new Sockets.Nio().missing();
    }

    @AfterEach
    void clearProperty() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void socketsThatAreNotSelectedAreSkipped() {
        assertNull(missing("auto"));
        assertNull(missing("nio"));
        assertEquals("-Djverbs.soft.udp=linux was given", missing("linux"));
    }

    @Test
    void unknownSocketsAreRefused() {
        assertEquals("system property jverbs.soft.udp=foo: allowed are auto, nio, linux; see docs/devices.md",
                assertThrows(IllegalArgumentException.class, () -> missing("foo")).getMessage());
    }
}
