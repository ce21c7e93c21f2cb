package io.jverbs.samples.applications;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** gRPC over Netty uses RDMA without a change. */
@InOtherProcesses
class GrpcTest {
    private static void responds(List<String> options, String address) throws Exception {
        Run run = RdmaJvm.run(options, GrpcProgram.class, address);
        assertEquals(List.of("the response is the same",
                GrpcProgram.RESPONSES + " responses of the stream are the same"), run.lines().subList(0, 2), run.err());
        RdmaJvm.assertUsedRdma(run, 1, (3L + GrpcProgram.RESPONSES) * GrpcProgram.BYTES);
    }

    @Test
    void aCallAndAStreamOfResponsesGoOverTheWire() throws Exception {
        responds(RdmaJvm.onTheWire(RdmaJvm.ADDRESS, "always"), RdmaJvm.ADDRESS);
    }

    @Test
    @Tag("variants")
    void aCallAndAStreamOfResponsesStayInsideTheJvmByTheDefaultRule() throws Exception {
        responds(RdmaJvm.options("soft", "auto"), "127.0.0.1");
    }
}
