package io.jverbs.soft.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketLoss;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.PairOfQueuePairs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Java Flight Recorder is told of queue pairs that get into trouble; catalogue part F tells what becomes of them. */
final class JournalTest {
    private static final int REFUSED = 50;
    private static final int QUEUE = 16;

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
                .filter(event -> event.getEventType().getName().startsWith("io.jverbs."))
                // a file has the events of one thread behind those of another
                .sorted(Comparator.comparing(RecordedEvent::getStartTime)).toList();
    }

    /** How packets travel. */
    enum Fabric {
        WITHIN("soft", "soft"), WIRE(LoopbackAddress.wired(), LoopbackAddress.wired());

        private final String left;
        private final String right;

        Fabric(String left, String right) {
            this.left = left;
            this.right = right;
        }

        PairOfQueuePairs pair(QpType type) {
            return new PairOfQueuePairs(left, right, type);
        }
    }

    /** What happened to a queue pair. */
    private static List<RecordedEvent> of(List<RecordedEvent> all, PairOfQueuePairs.Side side, String type) {
        return of(all, side.context.device().name(), side.qp.number(), type);
    }

    private static List<RecordedEvent> of(List<RecordedEvent> all, int number, String type) {
        return of(all, "soft0", number, type);
    }

    private static List<RecordedEvent> of(List<RecordedEvent> all, String device, int number, String type) {
        return all.stream().filter(event -> event.getEventType().getName().equals("io.jverbs." + type)
                && event.getInt("queuePair") == number && event.getString("device").equals(device)).toList();
    }

    private static List<String> naks(List<RecordedEvent> all, PairOfQueuePairs.Side side) {
        return of(all, side, "Nak").stream()
                .map(event -> (event.getBoolean("sent") ? "sent " : "received ") + event.getString("reason")).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aReceiverThatIsNeverReadyIsToldFromTheFirstRefusalToTheLastCompletion(Fabric fabric) throws Exception {
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            int peer = pair.right.qp.number();
            List<RecordedEvent> all = record(() -> {
                pair.left.qp.postSend(pair.request(8).opcode(WrOpcode.SEND));
                assertEquals(WcStatus.WR_FLUSH_ERR, afterError(pair));
            });

            List<RecordedEvent> waits = of(all, pair.left, "RnrWait");
            assertEquals(1, waits.size());
            assertEquals(Duration.ofNanos(10_000), waits.getFirst().getDuration("wait"));
            assertEquals(peer, waits.getFirst().getInt("peer"));
            assertEquals(List.of("received rcvd_rnr_err", "received rcvd_rnr_err"), naks(all, pair.left));
            assertEquals(List.of("sent send_rnr_err", "sent send_rnr_err"), naks(all, pair.right));
            List<RecordedEvent> errors = of(all, pair.left, "CompletionError");
            assertEquals(List.of("RNR_RETRY_EXC_ERR", "WR_FLUSH_ERR"),
                    errors.stream().map(event -> event.getString("status")).toList());
            assertEquals(List.of(7L, 1), List.of(errors.getFirst().getLong("wrId"), errors.getFirst().getInt("count")));
            assertTrue(errors.getFirst().getString("explanation").startsWith("queue pair " + peer + " had no receive"),
                    errors::toString);
            RecordedEvent state = of(all, pair.left, "QueuePairState").getFirst();
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

    @ParameterizedTest
    @EnumSource
    void silenceIsRetriedAndTold(Fabric fabric) throws Exception {
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            pair.right.qp.close();
            List<RecordedEvent> all = record(() -> assertEquals(WcStatus.RETRY_EXC_ERR,
                    pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE))));

            List<RecordedEvent> again = of(all, pair.left, "Retransmission");
            assertEquals(1, again.size());
            assertEquals(List.of("no answer in time", PairOfQueuePairs.LEFT_PSN, 0),
                    List.of(again.getFirst().getString("reason"), again.getFirst().getInt("psn"),
                            again.getFirst().getInt("retriesLeft")));
            assertTrue(of(all, pair.left, "CompletionError").getFirst().getString("explanation")
                    .contains("has not answered"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalIsToldByBothEnds(Fabric fabric) throws Exception {
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            List<RecordedEvent> all = record(() -> assertEquals(WcStatus.REM_ACCESS_ERR,
                    pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE).remote(pair.right.memory.address(),
                            ~pair.right.memory.rkey()))));

            assertEquals(List.of("sent sent_nak_access_error"), naks(all, pair.right));
            assertEquals(List.of("received req_remote_access_errors"), naks(all, pair.left));
        }
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            pair.right.postReceive(4);
            List<RecordedEvent> all = record(() -> assertEquals(WcStatus.REM_INV_REQ_ERR,
                    pair.left.run(pair.request(8).opcode(WrOpcode.SEND))));

            assertEquals(List.of("sent sent_nak_invalid_request"), naks(all, pair.right));
            assertEquals(List.of("received req_remote_invalid_request"), naks(all, pair.left));
        }
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            pair.right.qp.postReceive(ReceiveWorkRequest.create(1).sgeCount(1).sge(0, pair.right.memory.address(), 8,
                    ~pair.right.memory.lkey()));
            List<RecordedEvent> all = record(() -> assertEquals(WcStatus.REM_OP_ERR,
                    pair.left.run(pair.request(8).opcode(WrOpcode.SEND))));

            assertEquals(List.of("sent sent_nak_operation_error"), naks(all, pair.right));
            assertEquals(List.of("received req_remote_operation_errors"), naks(all, pair.left));
        }
    }

    @Test
    void aLostPacketIsToldByBothEnds() throws Exception {
        try (PairOfQueuePairs pair = Fabric.WIRE.pair(QpType.RC)) {
            AtomicInteger arrived = new AtomicInteger();
            IntPredicate first = qpn -> arrived.getAndIncrement() == 0;
            PacketLoss losses = pair.rightDevice.capability(PacketLoss.class).orElseThrow();
            losses.add(first);
            List<RecordedEvent> all = record(() -> assertEquals(WcStatus.SUCCESS,
                    pair.left.run(pair.request(3 * PairOfQueuePairs.MTU).opcode(WrOpcode.RDMA_WRITE))));
            losses.remove(first);

            assertEquals(List.of("sent sent_nak_sequence_error"), naks(all, pair.right));
            assertEquals(List.of("received rcvd_seq_err"), naks(all, pair.left));
            assertEquals(List.of("the peer misses a packet"), of(all, pair.left, "Retransmission").stream()
                    .map(event -> event.getString("reason")).toList());
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
                for (int i = 0; i < QUEUE; i++) {
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
            assertEquals(List.of(QUEUE, 7L, "its peer, which is not ready or does not answer"),
                    List.of(stalls.getFirst().getInt("queued"), stalls.getFirst().getLong("oldestWrId"),
                            stalls.getFirst().getString("reason")));
            assertTrue(stalls.getFirst().getStackTrace().getFrames().stream()
                    .anyMatch(frame -> frame.getMethod().getType().getName().equals(JournalTest.class.getName())));
        }
    }

    @Test
    void aChainThatIsLongerThanTheQueueIsToldAsSuch() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            SendWorkRequest chain = null;
            for (int i = 0; i <= QUEUE; i++) {
                chain = pair.request(8).opcode(WrOpcode.RDMA_WRITE).next(chain);
            }
            SendWorkRequest head = chain;
            List<RecordedEvent> all = record(
                    () -> assertThrows(VerbsException.class, () -> pair.left.qp.postSend(head)));

            assertEquals(List.of("the rest of its chain, which is longer than the queue"),
                    of(all, pair.left, "PostStall")
                            .stream().map(event -> event.getString("reason")).toList());
        }
    }

    @Test
    void aQueueThatIsHeldIsToldAsSuch() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            SendWorkRequest request = pair.request(8).opcode(WrOpcode.RDMA_WRITE);
            List<RecordedEvent> all = record(() -> {
                pair.left.qp.modify(QpAttributes.builder().state(QpState.SQD).build());
                for (int i = 0; i < QUEUE; i++) {
                    pair.left.qp.postSend(request);
                }
                assertThrows(VerbsException.class, () -> pair.left.qp.postSend(request));
            });

            assertEquals(List.of("the queue pair to leave SQD"), of(all, pair.left, "PostStall").stream()
                    .map(event -> event.getString("reason")).toList());
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
