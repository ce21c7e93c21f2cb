package io.jverbs.samples.applications;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** A broker of Kafka that is its own controller, started as kafka-storage.sh and kafka-server-start.sh do. */
final class KafkaBrokerProgram {
    private KafkaBrokerProgram() {}

    /** Runs until the JVM is ended; the arguments are a folder, an address and the ports of broker and controller. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        String broker = args[1] + ":" + args[2];
        String controller = args[1] + ":" + args[3];
        Path properties = folder.resolve("server.properties");
        Files.write(properties, List.of("process.roles=broker,controller", "node.id=1",
                "controller.quorum.voters=1@" + controller, "controller.listener.names=CONTROLLER",
                "listeners=PLAINTEXT://" + broker + ",CONTROLLER://" + controller,
                "advertised.listeners=PLAINTEXT://" + broker, "log.dirs=" + folder.resolve("logs"),
                "offsets.topic.replication.factor=1", "offsets.topic.num.partitions=1",
                "group.initial.rebalance.delay.ms=0"));
        int status = StorageTool.execute(new String[] {"format", "--cluster-id", Uuid.randomUuid().toString(),
            "--config", properties.toString()}, System.out);
        if (status != 0) {
            throw new IllegalStateException("the format of the storage has failed with status " + status);
        }
        Kafka.main(new String[] {properties.toString()});
    }
}
