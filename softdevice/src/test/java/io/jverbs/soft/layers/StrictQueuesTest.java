package io.jverbs.soft.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What strict mode finds in queues that fill. */
final class StrictQueuesTest extends StrictReports {
    private static final int SIGNALED = SendFlags.SIGNALED;

    /** D37. */
    @Test
    void aSendQueueThatFillsBehindASignaledRequestThatNobodyPollsIsReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < LayeredPair.DEPTH; i++) {
                pair.sender.postSend(pair.write(i, i == 0 ? SIGNALED : 0));
            }
            assertNothingFound();
            for (int i = 0; i < 3 * LayeredPair.DEPTH; i++) {
                pair.sender.postSend(pair.write(i, 0));
            }
            assertFound(Kind.NEVER_SIGNALED, "17 requests", "16 places", "ENOMEM");
        }
    }

    @Test
    void moreSignaledRequestsThanPlacesAreReportedAndPostedAlsoWhereStrictModeThrows() {
        StrictMode throwing = StrictMode.throwing();
        try (LayeredPair pair = new LayeredPair(throwing)) {
            for (int i = 0; i < LayeredPair.DEPTH + 1; i++) {
                pair.sender.postSend(pair.write(0, SIGNALED));
            }
            assertEquals(Kind.NEVER_SIGNALED, throwing.violations().getFirst().kind());
            pair.await(pair.sendCq, LayeredPair.DEPTH + 1);
        }
    }

    @Test
    void pollingInTimeIsLawfulWhereverTheSignaledRequestIs() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < 10 * LayeredPair.DEPTH; i++) {
                pair.sender.postSend(pair.write(i, i % 8 == 0 ? SIGNALED : 0));
                if (i % 8 == 7) {
                    pair.await(pair.sendCq, 1);
                }
            }
            assertNothingFound();
        }
    }

    @Test
    void bindsOfWindowsTakePlacesToo() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            MemoryRegion region = pair.pd.allocate(64, Access.LOCAL_WRITE | Access.MW_BIND);
            MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
            MwBind bind = new MwBind(region, region.address(), 64, Access.REMOTE_WRITE);
            for (int i = 0; i < LayeredPair.DEPTH - 1; i++) {
                pair.sender.bindMemoryWindow(window, i, 0, bind);
            }
            assertNothingFound();
            pair.sender.bindMemoryWindow(window, 99, 0, bind);
            assertFound(Kind.NEVER_SIGNALED, "all 16 places");
        }
    }

    @Test
    void completionsOfBindsNeedRoomToo() {
        StrictMode throwing = StrictMode.throwing();
        try (LayeredPair pair = new LayeredPair(throwing)) {
            CompletionQueue small = pair.context.createCompletionQueue(1);
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(small).build());
            qp.connect(pair.receiver.localInfo());
            MemoryRegion region = pair.pd.allocate(64, Access.LOCAL_WRITE | Access.MW_BIND);
            MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
            MwBind bind = new MwBind(region, region.address(), 64, Access.REMOTE_WRITE);
            qp.bindMemoryWindow(window, 1, SIGNALED, bind);
            int key = window.rkey();
            StrictViolationException refused = assertThrows(StrictViolationException.class,
                    () -> qp.bindMemoryWindow(window, 2, SIGNALED, bind));
            assertEquals(Kind.COMPLETION_QUEUE_TOO_SMALL, refused.violation().kind());
            assertEquals(key, window.rkey());
            assertEquals(List.of("1 SUCCESS"), pair.await(small, 1));
        }
    }

    @Test
    void whatTheDeviceRefusesTakesNoPlace() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            CompletionQueue small = pair.context.createCompletionQueue(1);
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(small).build());
            for (int i = 0; i < 3; i++) {
                assertEquals(Errno.EINVAL.code(), qp.tryPostSend(pair.write(i, SIGNALED)), "in RESET");
                assertEquals(Errno.EINVAL.code(), qp.tryPostReceive(pair.receive(i)), "in RESET");
            }
            assertNothingFound();
        }
    }

    @Test
    void aQueueMadeSmallerThanWhatIsToComeIsReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < 4; i++) {
                pair.receiver.postReceive(pair.receive(i));
            }
            pair.recvCq.resize(4);
            assertNothingFound();
            pair.recvCq.resize(3);
            assertFound(Kind.COMPLETION_QUEUE_TOO_SMALL, "4 completions are to come", "is to hold 3");
        }
    }
}
