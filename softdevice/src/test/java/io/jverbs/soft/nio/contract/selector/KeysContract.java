package io.jverbs.soft.nio.contract.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SelectionKey: its interest set, its attachment, and what a cancelled key does. */
abstract class KeysContract extends ChannelContract {
    private static final int READ_AND_WRITE = SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    private static final int UNDEFINED_OP = 1 << 1;

    KeysContract(ProviderUnderTest tested) {
        super(tested);
    }

    private SelectionKey key(int operations) throws IOException {
        return nonBlockingChannel().register(selector(), operations);
    }

    // SelectionKey.interestOps(int)
    @Test
    void theInterestSetIsWhatWasSetLast() throws IOException {
        SelectionKey key = key(SelectionKey.OP_READ);
        assertSame(key, key.interestOps(READ_AND_WRITE));
        assertEquals(READ_AND_WRITE, key.interestOps());
        key.interestOps(0);
        assertEquals(0, key.interestOps());
    }

    // SelectionKey.interestOps(int): IllegalArgumentException
    @ParameterizedTest
    @ValueSource(ints = {SelectionKey.OP_ACCEPT, SelectionKey.OP_ACCEPT | SelectionKey.OP_READ, UNDEFINED_OP, -1})
    void operationsThatTheChannelDoesNotHaveAreRefused(int operations) throws IOException {
        SelectionKey key = key(SelectionKey.OP_READ);
        assertThrows(IllegalArgumentException.class, () -> key.interestOps(operations));
        assertThrows(IllegalArgumentException.class, () -> key.interestOpsOr(operations));
        assertEquals(SelectionKey.OP_READ, key.interestOps());
    }

    // SelectionKey.interestOpsOr: returns the previous interest set
    @Test
    void operationsAreAddedToTheInterestSet() throws IOException {
        SelectionKey key = key(SelectionKey.OP_READ);
        assertEquals(SelectionKey.OP_READ, key.interestOpsOr(SelectionKey.OP_WRITE));
        assertEquals(READ_AND_WRITE, key.interestOps());
        assertEquals(READ_AND_WRITE, key.interestOpsOr(0));
        assertEquals(READ_AND_WRITE, key.interestOps());
    }

    // SelectionKey.interestOpsAnd: the operand is not restricted to the valid operations
    @Test
    void operationsAreRemovedFromTheInterestSet() throws IOException {
        SelectionKey key = key(READ_AND_WRITE);
        assertEquals(READ_AND_WRITE, key.interestOpsAnd(~SelectionKey.OP_READ));
        assertEquals(SelectionKey.OP_WRITE, key.interestOps());
        assertEquals(SelectionKey.OP_WRITE, key.interestOpsAnd(-1));
        assertEquals(SelectionKey.OP_WRITE, key.interestOpsAnd(0));
        assertEquals(0, key.interestOps());
    }

    // SelectionKey: changes of the interest set are atomic
    @Test
    void threeThreadsChangeDifferentOperationsOfOneKey() throws Exception {
        SelectionKey key = key(0);
        List<BlockingCall<Object>> calls = new ArrayList<>();
        for (int operation : new int[] {SelectionKey.OP_READ, SelectionKey.OP_WRITE, SelectionKey.OP_CONNECT}) {
            calls.add(BlockingCall.start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    assertEquals(0, key.interestOpsOr(operation) & operation);
                    assertEquals(operation, key.interestOpsAnd(~operation) & operation);
                }
                key.interestOpsOr(operation);
                return null;
            }));
        }
        for (BlockingCall<Object> call : calls) {
            call.result();
        }
        assertEquals(READ_AND_WRITE | SelectionKey.OP_CONNECT, key.interestOps());
    }

    @Test
    void theNextSelectionObservesAChangeOfTheInterestSet() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        key.interestOpsOr(SelectionKey.OP_WRITE);
        assertEquals(1, selector.selectNow());
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
        selector.selectedKeys().clear();
        assertEquals(0, selector.selectNow());
    }

    // Selector: a change of an interest set does not end a selection that is in progress
    @Test
    void theSelectionAfterAWakeupObservesAChangeOfAnotherThread() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = BlockingCall.start(() -> {
            int count = selector.select();
            return count > 0 ? count : selector.select();
        }).awaitBlockedIn(selector, "select");
        key.interestOps(SelectionKey.OP_WRITE);
        selector.wakeup();
        assertEquals(1, select.result());
        assertTrue(key.isWritable());
    }

    // SelectionKey.attach: returns the previous attachment
    @Test
    void anAttachmentReplacesThePreviousOne() throws IOException {
        SelectionKey key = key(SelectionKey.OP_READ);
        assertNull(key.attachment());
        assertNull(key.attach("first"));
        assertEquals("first", key.attach("second"));
        assertEquals("second", key.attachment());
        assertEquals("second", key.attach(null));
        assertNull(key.attachment());
    }

    // SelectionKey: CancelledKeyException
    @Test
    void theSetsOfACancelledKeyCannotBeReadOrChanged() throws IOException {
        SelectionKey key = key(SelectionKey.OP_READ);
        key.cancel();
        assertThrows(CancelledKeyException.class, key::interestOps);
        assertThrows(CancelledKeyException.class, () -> key.interestOps(SelectionKey.OP_READ));
        assertThrows(CancelledKeyException.class, () -> key.interestOpsOr(SelectionKey.OP_READ));
        assertThrows(CancelledKeyException.class, () -> key.interestOpsAnd(SelectionKey.OP_READ));
        assertThrows(CancelledKeyException.class, key::readyOps);
        assertThrows(CancelledKeyException.class, key::isReadable);
        assertThrows(CancelledKeyException.class, key::isWritable);
        assertThrows(CancelledKeyException.class, key::isConnectable);
        assertThrows(CancelledKeyException.class, key::isAcceptable);
    }

    // SelectionKey.channel, selector, attachment: also after the key is cancelled
    @Test
    void aCancelledKeyStillTellsItsChannelAndItsSelectorAndItsAttachment() throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ, "attachment");
        key.cancel();
        selector.selectNow();
        assertFalse(key.isValid());
        assertSame(channel, key.channel());
        assertSame(selector, key.selector());
        assertEquals("attachment", key.attachment());
        assertEquals("attachment", key.attach("other"));
    }

    // SelectionKey.isValid: until it is cancelled, its channel is closed, or its selector is closed
    @Test
    void aKeyIsInvalidWhenItsChannelOrItsSelectorIsClosed() throws IOException {
        SelectionKey first = key(SelectionKey.OP_READ);
        first.channel().close();
        assertFalse(first.isValid());
        SelectionKey second = key(SelectionKey.OP_READ);
        second.selector().close();
        assertFalse(second.isValid());
        assertTrue(second.channel().isOpen());
    }

    // SelectionKey.readyOps: contains operations of the interest set at the time of the selection
    @Test
    void theReadySetChangesWithASelectionOnly() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_WRITE);
        assertEquals(0, key.readyOps());
        selector.selectNow();
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
        key.interestOps(SelectionKey.OP_READ);
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
        selector.selectedKeys().clear();
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals(1, selector.select());
        assertEquals(SelectionKey.OP_READ, key.readyOps());
    }
}
