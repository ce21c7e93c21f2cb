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

/**
 * Checks the JDK Flight Recorder events that the device emits for queue pairs that fail. Part F of the catalogue
 * describes the outcomes.
 */
final class JournalTest {
    private static final int REJECTED_POSTS = 50;
    private static final int QUEUE = 16;

    @TempDir
    private Path folder;

    private interface Action {
        void run() throws Exception;
    }

    private List<RecordedEvent> record(Action action) throws Exception {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            action.run();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("io.jverbs."))
                // a recording file groups events by thread
                .sorted(Comparator.comparing(RecordedEvent::getStartTime)).toList();
    }

    /** Where packets are exchanged: within the JVM, or over UDP. */
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

    /** Returns the events of a type for the queue pair of a side. */
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
    void rnrRetriesAreRecordedFromTheFirstNakToTheLastCompletion(Fabric fabric) throws Exception {
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

    /** Returns the status of a request that is posted after another one has failed. */
    private static WcStatus afterError(PairOfQueuePairs pair) {
        pair.left.next();
        pair.left.qp.postSend(pair.request(8).opcode(WrOpcode.SEND));
        return pair.left.next();
    }

    @ParameterizedTest
    @EnumSource
    void anAckTimeoutRecordsTheRetransmissionAndTheCompletionError(Fabric fabric) throws Exception {
        try (PairOfQueuePairs pair = fabric.pair(QpType.RC)) {
            pair.right.qp.close();
            List<RecordedEvent> all = record(() -> assertEquals(WcStatus.RETRY_EXC_ERR,
                    pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE))));

            List<RecordedEvent> retransmissions = of(all, pair.left, "Retransmission");
            assertEquals(1, retransmissions.size());
            assertEquals(List.of("no response in time", PairOfQueuePairs.LEFT_PSN, 0),
                    List.of(retransmissions.getFirst().getString("reason"), retransmissions.getFirst().getInt("psn"),
                            retransmissions.getFirst().getInt("retriesLeft")));
            assertTrue(of(all, pair.left, "CompletionError").getFirst().getString("explanation")
                    .contains("did not respond"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNakIsRecordedByBothPeers(Fabric fabric) throws Exception {
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
    void aLostPacketIsRecordedByBothPeers() throws Exception {
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
            assertEquals(List.of("the peer reported a missing packet"), of(all, pair.left, "Retransmission").stream()
                    .map(event -> event.getString("reason")).toList());
        }
    }

    @Test
    void modifyToErrAndResetRecordsTheTransitionsAndTheFlush() throws Exception {
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
    void postsToAFullQueueAreRecordedAtALimitedRateWithAStackTrace() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.patient(QpType.RC)) {
            int number = pair.left.qp.number();
            pair.right.qp.close();
            SendWorkRequest request = pair.request(8).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED);
            AtomicLong start = new AtomicLong();
            AtomicLong elapsed = new AtomicLong();
            List<RecordedEvent> all = record(() -> {
                for (int i = 0; i < QUEUE; i++) {
                    pair.left.qp.postSend(request);
                }
                start.set(System.nanoTime());
                for (int i = 0; i < REJECTED_POSTS; i++) {
                    assertThrows(VerbsException.class, () -> pair.left.qp.postSend(request));
                }
                elapsed.set(System.nanoTime() - start.get());
            });

            List<RecordedEvent> stalls = of(all, number, "PostStall");
            assertTrue(!stalls.isEmpty() && stalls.size() <= 1 + elapsed.get() / 1_000_000, stalls::toString);
            assertEquals(List.of(QUEUE, 7L, "its peer, which is not ready or does not respond"),
                    List.of(stalls.getFirst().getInt("queued"), stalls.getFirst().getLong("oldestWrId"),
                            stalls.getFirst().getString("reason")));
            assertTrue(stalls.getFirst().getStackTrace().getFrames().stream()
                    .anyMatch(frame -> frame.getMethod().getType().getName().equals(JournalTest.class.getName())));
        }
    }

    @Test
    void aChainLongerThanTheQueueIsRecordedAsTheReasonOfTheStall() throws Exception {
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

    /** Catalogue D37. */
    @ParameterizedTest
    @EnumSource
    void anUnpolledCompletionIsRecordedAsTheReasonOfTheStall(Fabric fabric) throws Exception {
        try (PairOfQueuePairs pair = fabric.pair(QpType.UC)) {
            SendWorkRequest request = pair.request(8).opcode(WrOpcode.RDMA_WRITE);
            List<RecordedEvent> all = record(() -> {
                for (int i = 0; i < QUEUE; i++) {
                    pair.left.qp.postSend(request.wrId(i).flags(i == 3 ? SendFlags.SIGNALED : 0));
                }
                assertThrows(VerbsException.class, () -> pair.left.qp.postSend(request));
            });

            assertEquals(List.of(QUEUE + " queued, the oldest (3) waits for its completion to be polled"),
                    stalls(all, pair));
        }
    }

    /** Catalogue D37. */
    @ParameterizedTest
    @EnumSource
    void aMissingSignaledRequestIsRecordedAsTheReasonOfTheStall(Fabric fabric) throws Exception {
        try (PairOfQueuePairs pair = fabric.pair(QpType.UC)) {
            SendWorkRequest request = pair.request(8).opcode(WrOpcode.RDMA_WRITE);
            List<RecordedEvent> all = record(() -> {
                for (int i = 0; i < QUEUE; i++) {
                    pair.left.qp.postSend(request);
                }
                assertThrows(VerbsException.class, () -> pair.left.qp.postSend(request));
            });

            assertEquals(List.of(QUEUE + " queued, the oldest (0) waits for a signaled request behind it: no request in"
                    + " the queue is signaled"), stalls(all, pair));
        }
    }

    private static List<String> stalls(List<RecordedEvent> all, PairOfQueuePairs pair) {
        return of(all, pair.left, "PostStall").stream().map(event -> event.getInt("queued") + " queued, the oldest ("
                + event.getLong("oldestWrId") + ") waits for " + event.getString("reason")).toList();
    }

    @Test
    void sqdIsRecordedAsTheReasonOfTheStall() throws Exception {
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
    void successfulTrafficRecordsNoEvents() throws Exception {
        try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
            List<RecordedEvent> all = record(() -> {
                for (int i = 0; i < 100; i++) {
                    pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
                }
            });
            // CM IDs of other tests may still send messages, and their events have no queue pair
            assertEquals(List.of(), all.stream().filter(event -> event.hasField("queuePair")
                    && event.getInt("queuePair") == pair.left.qp.number()).toList());
        }
    }
}
