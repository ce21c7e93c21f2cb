package io.jverbs.samples.applications;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jetty uses RDMA without a change. */
@InOtherProcesses
class JettyTest {
    private static void echoes(List<String> options, String address) throws Exception {
        Run run = RdmaJvm.run(options, JettyProgram.class, address);
        assertEquals("status 200, the body is the same", run.lines().getFirst(), run.err());
        RdmaJvm.assertUsedRdma(run, 1, 2 * HttpEcho.BYTES);
    }

    @Test
    void jettyEchoesABodyOverTheWire() throws Exception {
        echoes(RdmaJvm.onTheWire(RdmaJvm.ADDRESS, "always"), RdmaJvm.ADDRESS);
    }

    @Test
    @Tag("variants")
    void jettyEchoesABodyInsideTheJvmByTheDefaultRule() throws Exception {
        echoes(RdmaJvm.options("soft", "auto"), "127.0.0.1");
    }
}
