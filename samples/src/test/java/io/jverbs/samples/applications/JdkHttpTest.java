package io.jverbs.samples.applications;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The HTTP server and the HTTP client of the JDK use RDMA without a change. */
@InOtherProcesses
class JdkHttpTest {
    private static Run echoes(List<String> options, String address) throws Exception {
        Run run = RdmaJvm.run(options, JdkHttpProgram.class, address);
        assertEquals("status 200, the body is the same", run.lines().getFirst(), run.err());
        return run;
    }

    @Test
    void theServerEchoesABodyOverTheWire() throws Exception {
        Run run = echoes(RdmaJvm.onTheWire(RdmaJvm.ADDRESS, "always"), RdmaJvm.ADDRESS);
        RdmaJvm.assertUsedRdma(run, 1, 2 * HttpEcho.BYTES);
    }

    @Test
    @Tag("variants")
    void theServerEchoesABodyInsideTheJvmByTheDefaultRule() throws Exception {
        Run run = echoes(RdmaJvm.options("soft", "auto"), "127.0.0.1");
        RdmaJvm.assertUsedRdma(run, 1, 2 * HttpEcho.BYTES);
    }

    @Test
    void aProgramThatUsesTcpFailsTheCheck() throws Exception {
        Run run = echoes(RdmaJvm.options("soft", "192.0.2.1"), "127.0.0.1");
        assertTrue(assertThrows(AssertionError.class, () -> RdmaJvm.assertUsedRdma(run, 1, 2 * HttpEcho.BYTES))
                .getMessage().startsWith("established 0 connections by RDMA and sent 0 bytes"));
    }
}
