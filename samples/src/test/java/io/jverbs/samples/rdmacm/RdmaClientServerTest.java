package io.jverbs.samples.rdmacm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples rdma-client and rdma-server in one JVM. */
class RdmaClientServerTest {

    @Test
    void theyExchangeOneMessageInEachDirection() throws Exception {
        BothSides both = BothSides.run(List.of("rdma-server", "-s", BothSides.address()), List.of("rdma-client"), "-p",
                "7341");
        both.assertLines(List.of("rdma_server: start", "rdma_server: end 0"),
                List.of("rdma_client: start", "rdma_client: end 0"));
    }

    @Test
    void aPortWithoutAListenerIsReportedWithTheReason() {
        Run run = Run.of("rdma-client", "-s", BothSides.address(), "-p", "7342");
        assertEquals(1, run.status());
        assertEquals(List.of("rdma_client: start", "rdma_client: end -1"), run.lines());
        assertTrue(run.err().contains("REJECTED, reason 8: there is no listener at this port"), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma-client", "rdma-server"})
    void aWrongPortIsRefused(String program) {
        Run run = Run.of(program, "-p", "65536");
        assertEquals(1, run.status());
        assertEquals("samples/run " + program + ": -p 65536 is outside 1..65535.", run.err().strip());
    }
}
