package io.jverbs.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K75: services that are given by name. */
final class ServiceNamesTest {
    @TempDir
    private Path directory;
    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(directory.resolve("services"), """
                # Network services
                nfsrdma\t20049/tcp\t# NFS over RDMA, not rping
                nfsrdma\t20050/udp
                rping 7174/tcp ping  r-ping
                broken
                broken port/tcp
                broken 99999/tcp
                broken 1/tcp/2
                """);
    }

    @ParameterizedTest
    @CsvSource({"nfsrdma, TCP, 20049", "nfsrdma, IB, 20049", "nfsrdma, UDP, 20050", "nfsrdma, IPOIB, 20050",
        "rping, TCP, 7174", "ping, TCP, 7174", "r-ping, TCP, 7174", "0, TCP, 0", "65535, UDP, 65535",
        "007471, TCP, 7471"})
    void theServiceHasThePortOfItsProtocol(String service, PortSpace portSpace, int port) {
        assertEquals(port, ServiceNames.port(service, portSpace, file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "broken", "NFSRDMA", "20049/tcp", "#", "over", "-1", "65536", "99999999999"})
    void anUnknownServiceIsRefusedByName(String service) {
        VerbsException refusal = assertThrows(VerbsException.class,
                () -> ServiceNames.port(service, PortSpace.TCP, file));
        assertEquals(Errno.EINVAL, refusal.error());
        assertTrue(refusal.getMessage().contains(service), refusal::getMessage);
    }

    @Test
    void aServiceOfAnotherProtocolIsRefused() {
        VerbsException refusal = assertThrows(VerbsException.class,
                () -> ServiceNames.port("rping", PortSpace.UDP, file));
        assertTrue(refusal.getMessage().contains("does not have it for udp"), refusal::getMessage);
    }

    @Test
    void aNumberNeedsNoFile() {
        Path missing = directory.resolve("missing");
        assertEquals(7471, ServiceNames.port("7471", PortSpace.TCP, missing));
        VerbsException refusal = assertThrows(VerbsException.class,
                () -> ServiceNames.port("rping", PortSpace.TCP, missing));
        assertTrue(refusal.getMessage().contains("cannot be read"), refusal::getMessage);
        assertTrue(refusal.getCause() instanceof IOException);
    }
}
