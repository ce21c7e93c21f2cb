package io.jverbs.soft.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.soft.PairOfQueuePairs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Java Flight Recorder is told of queue pairs that get into trouble; catalogue part F tells what becomes of them. */
final class JournalTest {
    private static final int REFUSED = 50;

    @TempDir
    private Path folder;

    private interface Trouble {
        void make() throws Exception;
    }

    private List<RecordedEvent> record(Trouble trouble) throws Exception {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            trouble.make();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("io.jverbs.")).toList();
    }

    private static List<RecordedEvent> of(List<RecordedEvent> all, int number, String type) {
        return all.stream().filter(event -> event.getEventType().getName().equals("io.jverbs." + type)
                && event.getInt("queuePair") == number && event.getString("device").equals("soft0")).toList();
    }

    @Test
    void aReceiverThatIsNeverReadyIsToldFromTheFirstRefusalToTheLastCompletion() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            int number = pair.left.qp.number();
            int peer = pair.right.qp.number();
            List<RecordedEvent> all = record(() -> {
                pair.left.qp.postSend(pair.request(8).opcode(WrOpcode.SEND));
                assertEquals(WcStatus.WR_FLUSH_ERR, afterError(pair));
            });

            List<RecordedEvent> waits = of(all, number, "RnrWait");
            assertEquals(1, waits.size());
            assertEquals(Duration.ofNanos(10_000), waits.getFirst().getDuration("wait"));
            assertEquals(peer, waits.getFirst().getInt("peer"));
            assertEquals(List.of("rcvd_rnr_err", "rcvd_rnr_err"), of(all, number, "Nak").stream()
                    .map(event -> event.getString("reason")).toList());
            assertEquals(List.of(true, true),
                    of(all, peer, "Nak").stream().map(event -> event.getBoolean("sent")).toList());
            List<RecordedEvent> errors = of(all, number, "CompletionError");
            assertEquals(List.of("RNR_RETRY_EXC_ERR", "WR_FLUSH_ERR"),
                    errors.stream().map(event -> event.getString("status")).toList());
            assertEquals(List.of(7L, 1), List.of(errors.getFirst().getLong("wrId"), errors.getFirst().getInt("count")));
            assertTrue(errors.getFirst().getString("explanation").startsWith("queue pair " + peer + " had no receive"),
                    errors::toString);
            RecordedEvent state = of(all, number, "QueuePairState").getFirst();
            assertEquals(List.of("RTS", "ERR", true),
                    List.of(state.getString("from"), state.getString("to"), state.getBoolean("byItself")));
        }
    }

    /** How a request ends that is posted once one has failed. */
    private static WcStatus afterError(PairOfQueuePairs pair) {
        pair.left.next();
        pair.left.qp.postSend(pair.request(8).opcode(WrOpcode.SEND));
        return pair.left.next();
    }

    @Test
    void silenceIsRetriedAndTold() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            int number = pair.left.qp.number();
            pair.right.qp.close();
            List<RecordedEvent> all = record(() -> assertEquals(WcStatus.RETRY_EXC_ERR,
                    pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE))));

            List<RecordedEvent> again = of(all, number, "Retransmission");
            assertEquals(1, again.size());
            assertEquals(List.of("no answer in time", PairOfQueuePairs.LEFT_PSN, 0),
                    List.of(again.getFirst().getString("reason"), again.getFirst().getInt("psn"),
                            again.getFirst().getInt("retriesLeft")));
            assertTrue(of(all, number, "CompletionError").getFirst().getString("explanation")
                    .contains("has not answered"));
        }
    }

    @Test
    void statesThatTheProgramAsksForAreToldAsSuchAndSoIsWhatTheyFlush() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            int number = pair.left.qp.number();
            for (int i = 0; i < 3; i++) {
                pair.left.postReceive(100);
            }
            List<RecordedEvent> all = record(() -> {
                pair.left.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
                pair.left.qp.modify(QpAttributes.builder().state(QpState.RESET).build());
            });

            assertEquals(List.of("RTS ERR false", "ERR RESET false"), of(all, number, "QueuePairState")
                    .stream().map(event -> event.getString("from") + " " + event.getString("to") + " "
                            + event.getBoolean("byItself"))
                    .toList());
            RecordedEvent flushed = of(all, number, "CompletionError").getFirst();
            assertEquals(List.of(3, true), List.of(flushed.getInt("count"), flushed.getBoolean("receive")));
        }
    }

    @Test
    void aQueueThatStaysFullIsToldOnceInAWhileWithWhoPosts() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.patient(QpType.RC)) {
            int number = pair.left.qp.number();
            pair.right.qp.close();
            SendWorkRequest request = pair.request(8).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED);
            AtomicLong began = new AtomicLong();
            AtomicLong took = new AtomicLong();
            List<RecordedEvent> all = record(() -> {
                for (int i = 0; i < 16; i++) {
                    pair.left.qp.postSend(request);
                }
                began.set(System.nanoTime());
                for (int i = 0; i < REFUSED; i++) {
                    assertThrows(VerbsException.class, () -> pair.left.qp.postSend(request));
                }
                took.set(System.nanoTime() - began.get());
            });

            List<RecordedEvent> stalls = of(all, number, "PostStall");
            assertTrue(!stalls.isEmpty() && stalls.size() <= 1 + took.get() / 1_000_000, stalls::toString);
            assertEquals(List.of(16, 7L, "its peer, which is not ready or does not answer"),
                    List.of(stalls.getFirst().getInt("queued"), stalls.getFirst().getLong("oldestWrId"),
                            stalls.getFirst().getString("reason")));
            assertTrue(stalls.getFirst().getStackTrace().getFrames().stream()
                    .anyMatch(frame -> frame.getMethod().getType().getName().equals(JournalTest.class.getName())));
        }
    }

    @Test
    void everydayTrafficIsNoEvent() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            List<RecordedEvent> all = record(() -> {
                for (int i = 0; i < 100; i++) {
                    pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
                }
            });
            assertEquals(List.of(), all.stream().filter(event -> event.getInt("queuePair") == pair.left.qp.number())
                    .toList());
        }
    }
}
