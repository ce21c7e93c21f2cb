package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Checks that strict mode tracks the keys of memory windows. The receiver binds the windows, the sender uses their
 * keys.
 */
final class StrictWindowsTest extends StrictReports {
    private static final int SIGNALED = SendFlags.SIGNALED;

    private LayeredPair pair;
    private MemoryRegion region;

    @BeforeEach
    void connect() {
        pair = new LayeredPair(strict);
        region = pair.pd.allocate(64, Access.LOCAL_WRITE | Access.MW_BIND);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private MwBind whole() {
        return new MwBind(region, region.address(), region.length(), Access.REMOTE_WRITE);
    }

    private void bindTypeOne(MemoryWindow window, MwBind bind) {
        pair.receiver.bindMemoryWindow(window, 1, SIGNALED, bind);
        assertEquals(List.of("1 SUCCESS"), pair.await(pair.sendCq, 1));
    }

    private void bindTypeTwo(MemoryWindow window, int key) {
        pair.receiver.postSend(SendWorkRequest.create(0).wrId(2).flags(SIGNALED).bind(window, key, whole()));
        assertEquals(List.of("2 SUCCESS"), pair.await(pair.sendCq, 1));
    }

    private void write(int key) {
        pair.sender.postSend(pair.write(3, SIGNALED).remote(region.address(), key));
    }

    private void writeSuccessfully(int key) {
        write(key);
        assertEquals(List.of("3 SUCCESS"), pair.await(pair.sendCq, 1));
        assertNothingFound();
    }

    /** Catalogue B40. */
    @Test
    void theKeyBeforeABindIsStale() {
        MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
        bindTypeOne(window, whole());
        int former = window.rkey();
        writeSuccessfully(former);
        bindTypeOne(window, whole());
        writeSuccessfully(window.rkey());
        write(former);
        assertFound(Kind.STALE_RKEY, "bound again at " + StrictWindowsTest.class.getName());
    }

    /** Catalogue B40. */
    @Test
    void theKeyOfAnUnboundWindowIsStale() {
        MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
        bindTypeOne(window, whole());
        int former = window.rkey();
        bindTypeOne(window, new MwBind(null, 0, 0, 0));
        write(former);
        assertFound(Kind.STALE_RKEY, "unbound at");
    }

    /** Catalogue B43. */
    @Test
    void aLocallyInvalidatedKeyIsStaleUntilItIsBoundAgain() {
        MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_2);
        int key = MemoryWindow.incrementRkey(window.rkey());
        for (int i = 0; i < 2; i++) {
            bindTypeTwo(window, key);
            writeSuccessfully(key);
            pair.receiver.postSend(
                    SendWorkRequest.create(0).wrId(4).opcode(WrOpcode.LOCAL_INV).invalidateRkey(key).flags(SIGNALED));
            assertEquals(List.of("4 SUCCESS"), pair.await(pair.sendCq, 1));
        }
        write(key);
        assertFound(Kind.STALE_RKEY, "invalidated at");
    }

    /** Catalogue B45. */
    @Test
    void aRemotelyInvalidatedKeyIsStale() {
        MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_2);
        int key = MemoryWindow.incrementRkey(window.rkey());
        bindTypeTwo(window, key);
        writeSuccessfully(key);
        pair.receiver.postReceive(ReceiveWorkRequest.create(0));
        pair.sender.postSend(
                SendWorkRequest.create(0).wrId(5).opcode(WrOpcode.SEND_WITH_INV).invalidateRkey(key).flags(SIGNALED));
        assertEquals(List.of("5 SUCCESS"), pair.await(pair.sendCq, 1));
        write(key);
        assertFound(Kind.STALE_RKEY, "invalidated at");
    }

    @Test
    void theKeyOfADeallocatedWindowIsStale() {
        MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
        bindTypeOne(window, whole());
        int last = window.rkey();
        window.close();
        write(last);
        assertFound(Kind.STALE_RKEY, "deallocated at");
    }

    /** Catalogue B40: the keys of a type 1 window recur after 256 binds. */
    @Test
    void aRecurringKeyIsValid() {
        MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
        for (int i = 0; i < 300; i++) {
            bindTypeOne(window, whole());
        }
        writeSuccessfully(window.rkey());
        window.close();
        assertNothingFound();
    }

    /** Catalogue B47. */
    @Test
    void aFlushedBindDoesNotInvalidateTheKey() {
        MemoryWindow window = pair.pd.allocateMemoryWindow(MwType.TYPE_1);
        bindTypeOne(window, whole());
        int key = window.rkey();
        QueuePair failed = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.recvCq).build());
        failed.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
        failed.modify(QpAttributes.builder().state(QpState.ERR).build());
        failed.bindMemoryWindow(window, 6, 0, whole());
        failed.bindMemoryWindow(window, 7, 0, whole());
        assertEquals(List.of("6 WR_FLUSH_ERR", "7 WR_FLUSH_ERR"), pair.await(pair.recvCq, 2));
        writeSuccessfully(key);
    }
}
