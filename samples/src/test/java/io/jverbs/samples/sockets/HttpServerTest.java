package io.jverbs.samples.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import java.nio.channels.spi.SelectorProvider;
import org.junit.jupiter.api.Test;

/** What http-server refuses; it serves in a JVM of its own, in HttpInterop. */
class HttpServerTest {
    @Test
    void aMissingFolderIsRejectedByItsPath() {
        Run run = Run.of("http-server", "/missing/folder");
        assertEquals(2, run.status());
        assertTrue(run.err().contains("there is no folder /missing/folder"), run.err());
    }

    @Test
    void aJvmWithAnotherProviderIsRejectedWithTheProperty() {
        SelectorProvider.provider();
        Run run = Run.of("http-server", "-p", "0");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("-Djava.nio.channels.spi.SelectorProvider="), run.err());
    }
}
