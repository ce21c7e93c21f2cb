package io.jverbs.samples.applications;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A producer that sends records to a broker, and a consumer that receives them. */
final class KafkaProgram {
    /** The length of a record. */
    static final int BYTES = 2_000;
    /** The number of records. */
    static final int RECORDS = 100;

    private static final String TOPIC = "records";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(200);

    private KafkaProgram() {}

    private static void produce(String broker) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker, ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        LIMIT.toMillis()),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(TOPIC, Payload.of(BYTES + i)));
            }
        }
    }

    private static int consume(String broker) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker, ConsumerConfig.GROUP_ID_CONFIG, "readers",
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
                new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            long deadline = System.nanoTime() + LIMIT.toNanos();
            int received = 0;
            while (received < RECORDS && System.nanoTime() - deadline < 0) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (!Arrays.equals(Payload.of(BYTES + received), record.value())) {
                        throw new IllegalStateException("record " + received + " is another");
                    }
                    received++;
                }
            }
            return received;
        }
    }

    /** The argument is the address and port of the broker. */
    public static void main(String[] args) throws Exception {
        produce(args[0]);
        System.out.println("received " + consume(args[0]) + " records");
        RdmaTraffic.ofSelectedDevice().print();
    }
}
