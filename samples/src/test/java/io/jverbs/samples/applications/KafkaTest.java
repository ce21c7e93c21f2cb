package io.jverbs.samples.applications;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.samples.ChildJvm;
import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker of Kafka and its clients use RDMA without a change. */
@InOtherProcesses
@Tag("variants")
class KafkaTest {
    private static final String BROKER = "127.0.48.3";
    private static final String CLIENT = "127.0.48.4";
    private static final int SECONDS = 150;

    @TempDir
    private Path folder;

    /** Both JVMs accept and make connections by RDMA only. */
    @Test
    @Timeout(value = 180, unit = TimeUnit.SECONDS)
    void recordsGoFromAProducerThroughABrokerToAConsumer() throws Exception {
        String port = Integer.toString(TwoSides.freePort());
        String controllerPort = Integer.toString(TwoSides.freePort());
        try (ChildJvm broker = RdmaJvm.start(RdmaJvm.onTheWire(BROKER, "always"), KafkaBrokerProgram.class,
                folder.toString(), BROKER, port, controllerPort);
                ChildJvm client = RdmaJvm.start(RdmaJvm.onTheWire(CLIENT, "always"), KafkaProgram.class,
                        BROKER + ":" + port)) {
            Run run = client.await(SECONDS);
            assertEquals("received " + KafkaProgram.RECORDS + " records", run.out().lines().findFirst().orElse(""),
                    () -> run.err() + broker.output());
            RdmaJvm.assertUsedRdma(run, 2, (long) KafkaProgram.RECORDS * KafkaProgram.BYTES);
        }
    }
}
