package io.jverbs.bench.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What of the wire is measured, as the property of the sockets says. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SocketsTest {
    private static final String PROPERTY = "jverbs.soft.udp";

    private static String missing(String asked) {
        System.setProperty(PROPERTY, asked);
        return new Sockets.Nio().missing();
    }

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void socketsThatWereNotAskedForAreSkipped() {
        assertNull(missing("auto"));
        assertNull(missing("nio"));
        assertEquals("-Djverbs.soft.udp=linux was given", missing("linux"));
    }

    @Test
    void socketsThatThereAreNotAreRefused() {
        assertEquals("-Djverbs.soft.udp=foo: allowed are auto, nio, linux",
                assertThrows(IllegalArgumentException.class, () -> missing("foo")).getMessage());
    }
}
