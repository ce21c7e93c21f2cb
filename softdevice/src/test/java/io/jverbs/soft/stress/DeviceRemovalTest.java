package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceRemoval;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Devices that are removed while they work: whatever was posted completes once, whatever comes later is refused with EIO. */
final class DeviceRemovalTest {
    private static final String SELECTOR = "soft:soft200";
    private static final int BYTES = 256;
    private static final int RECEIVES = 3;
    private static final int MAX_HEAD_START = 40_000;
    private static final int MAX_PAIRS = 4096;

    @Test
    void aDeviceRemovedUnderTrafficCompletesEverythingOnceAndRefusesTheRest() {
        SplittableRandom random = new SplittableRandom(4);
        try (Node survivor = Node.open(); Team time = new Team()) {
            for (int i = 0; i == 0 || time.goesOn(); i++) {
                removeUnderTraffic(survivor, random);
            }
        }
    }

    private static void removeUnderTraffic(Node survivor, SplittableRandom random) {
        try (Node victim = Node.open(SELECTOR); Team team = new Team()) {
            Writer inside = new Writer(victim, victim, team);
            Writer across = new Writer(survivor, victim, team);
            Connector connector = new Connector(victim);
            team.member("inside", inside::writeUntilItFails);
            team.member("across", across::writeUntilItFails);
            team.member("connector", connector::connectUntilItFails);
            for (int i = random.nextInt(MAX_HEAD_START); i > 0; i--) {
                Thread.onSpinWait();
            }
            remove(victim.context);
            team.join();
            assertEquals(WcStatus.RETRY_EXC_ERR, across.failure, "a peer of the removed device times out");
            connector.check(team);
            awaitFatalEvent(victim.context, team);
            assertThrowsEio(victim.context);
            across.qp.close();
        }
    }

    private static void remove(RdmaContext context) {
        context.device().capability(DeviceRemoval.class).orElseThrow().remove();
    }

    private static void awaitFatalEvent(RdmaContext context, Team team) {
        AsyncEventType type = null;
        while (type != AsyncEventType.DEVICE_FATAL) {
            try (AsyncEvent event = context.awaitAsyncEvent(Team.PATIENCE)) {
                assertNotNull(event, "DEVICE_FATAL is raised");
                type = event.type();
            } catch (InterruptedException e) {
                throw team.stuck("DEVICE_FATAL");
            }
        }
    }

    private static void assertThrowsEio(RdmaContext context) {
        try {
            context.queryDevice();
        } catch (VerbsException e) {
            assertEquals(Errno.EIO, e.error());
            return;
        }
        throw new AssertionError("a removed device answers");
    }

    @Test
    void aDeviceOpenedWhileItIsRemovedIsTheOldOneOrTheNewOneAndHearsOfTheRemoval() {
        try (Team team = new Team()) {
            AtomicReference<RdmaContext> present = new AtomicReference<>();
            var barrier = team.barrier(2, () -> present.set(Verbs.open(SELECTOR)));
            var agreement = team.barrier(2, () -> present.get().close());
            boolean[] goesOn = {true};
            team.member("remover", () -> {
                while (goesOn[0]) {
                    team.meet(barrier, "the opener");
                    remove(present.get());
                    goesOn[0] = team.goesOn();
                    team.meet(agreement, "the opener");
                }
            });
            team.member("opener", () -> {
                while (goesOn[0]) {
                    team.meet(barrier, "the remover");
                    openWhileRemoved(team);
                    team.meet(agreement, "the remover");
                }
            });
            team.join();
        }
    }

    private static void openWhileRemoved(Team team) {
        try (RdmaContext context = Verbs.open(SELECTOR)) {
            if (isRemoved(context)) {
                awaitFatalEvent(context, team);
            }
        } catch (VerbsException e) {
            assertEquals(Errno.EIO, e.error(), "an open that came too late");
        }
    }

    private static boolean isRemoved(RdmaContext context) {
        try {
            context.queryDevice();
            return false;
        } catch (VerbsException e) {
            return true;
        }
    }

    /** Writes and sends to a peer on the device that is removed; everything it posts completes once, in order. */
    private static final class Writer {
        final QueuePair qp;
        WcStatus failure = WcStatus.SUCCESS;
        private final Team team;
        private final CompletionQueue cq;
        private final SendWorkRequest request;
        private final WorkCompletions done = WorkCompletions.create(8);
        private long posted;
        private long completed;

        Writer(Node node, Node target, Team team) {
            this.team = team;
            cq = node.cq(256);
            qp = node.queuePair(QpType.RC, cq, cq);
            CompletionQueue theirs = target.cq(64);
            Node.connect(qp, target.queuePair(QpType.RC, theirs, theirs));
            MemoryRegion memory = target.region(BYTES);
            MemoryRegion own = node.region(BYTES);
            request = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).sge(own, 0, BYTES)
                    .remote(memory.address(), memory.rkey());
        }

        void writeUntilItFails() {
            boolean refused = false;
            while (!refused && failure == WcStatus.SUCCESS) {
                int errno = qp.tryPostSend(request.wrId(posted));
                refused = errno == Errno.EIO.code();
                posted += errno == 0 ? 1 : 0;
                assertTrue(errno == 0 || refused || errno == Errno.ENOMEM.code(), "a post returned " + errno);
                reap();
            }
            team.await("everything posted to complete", () -> {
                reap();
                return completed == posted;
            });
        }

        private void reap() {
            int count = cq.poll(done);
            for (int i = 0; i < count; i++) {
                assertEquals(completed++, done.wrId(i), "requests complete once and in order");
                if (failure == WcStatus.SUCCESS) {
                    failure = done.status(i);
                } else {
                    assertEquals(WcStatus.WR_FLUSH_ERR, done.status(i));
                }
            }
        }
    }

    /** Makes and connects queue pairs with receives posted, so that the removal finds some between two states. */
    private static final class Connector {
        private final Node node;
        private final CompletionQueue cq;
        private final int[] posted = new int[MAX_PAIRS];
        private final int[] completed = new int[MAX_PAIRS];
        private int pairs;

        Connector(Node node) {
            this.node = node;
            cq = node.cq(RECEIVES * MAX_PAIRS);
        }

        void connectUntilItFails() {
            ReceiveWorkRequest receive = ReceiveWorkRequest.create(0);
            try {
                while (pairs < MAX_PAIRS) {
                    int number = pairs++;
                    QueuePair qp = node.queuePair(QpType.RC, cq, cq);
                    Node.toInit(qp);
                    for (int i = 0; i < RECEIVES; i++) {
                        qp.postReceive(receive.wrId(number));
                        posted[number]++;
                    }
                    Node.toReady(qp, qp);
                }
            } catch (VerbsException e) {
                // EINVAL: the removal came between two steps and moved the queue pair to ERR, where no RTR follows
                assertTrue(e.error() == Errno.EIO || e.error() == Errno.EINVAL, () -> "refused with " + e);
            }
        }

        void check(Team team) {
            WorkCompletions done = WorkCompletions.create(64);
            for (int number = 0; number < pairs; number++) {
                int awaited = number;
                team.await("the receives of queue pair " + number + " of " + pairs + " to flush", () -> {
                    int count = cq.poll(done);
                    for (int i = 0; i < count; i++) {
                        assertEquals(WcStatus.WR_FLUSH_ERR, done.status(i));
                        completed[(int) done.wrId(i)]++;
                    }
                    return completed[awaited] >= posted[awaited];
                });
            }
            assertEquals(0, cq.poll(done), "nothing flushes twice");
            for (int number = 0; number < pairs; number++) {
                assertEquals(posted[number], completed[number], "each receive flushes once");
            }
        }
    }
}
