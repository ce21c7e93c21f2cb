package io.jverbs.soft.nio.contract.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.Until;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Selector.selectedKeys and keys, and selections that perform an action on each ready key. */
abstract class SelectedKeysContract extends ChannelContract {
    SelectedKeysContract(ProviderUnderTest tested) {
        super(tested);
    }

    /** Returns a key of a channel that is always writable. */
    private SelectionKey writable(Selector selector) throws Exception {
        return pair().nonBlocking().client().register(selector, SelectionKey.OP_WRITE);
    }

    // Selector: ready keys are added to the selected-key set
    @Test
    void aReadyKeyIsInTheSetOfSelectedKeys() throws Exception {
        Selector selector = selector();
        SelectionKey key = writable(selector);
        assertEquals(Set.of(), selector.selectedKeys());
        assertEquals(1, selector.select());
        assertEquals(Set.of(key), selector.selectedKeys());
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
    }

    // Selector: a key stays in the set until it is removed
    @Test
    void aKeyThatIsNotRemovedIsNotCountedAgain() throws Exception {
        Selector selector = selector();
        SelectionKey key = writable(selector);
        assertEquals(1, selector.selectNow());
        assertEquals(0, selector.selectNow());
        assertEquals(0, selector.select());
        assertEquals(Set.of(key), selector.selectedKeys());
    }

    @Test
    void aKeyThatIsRemovedIsSelectedAgain() throws Exception {
        Selector selector = selector();
        SelectionKey key = writable(selector);
        for (int i = 0; i < 3; i++) {
            assertEquals(1, selector.select());
            assertTrue(selector.selectedKeys().remove(key));
            assertEquals(Set.of(), selector.selectedKeys());
        }
    }

    @Test
    void keysAreRemovedThroughTheIterator() throws Exception {
        Selector selector = selector();
        Set<SelectionKey> keys = Set.of(writable(selector), writable(selector), writable(selector));
        assertEquals(3, selector.select());
        Set<SelectionKey> seen = new HashSet<>();
        for (Iterator<SelectionKey> i = selector.selectedKeys().iterator(); i.hasNext();) {
            seen.add(i.next());
            i.remove();
        }
        assertEquals(keys, seen);
        assertTrue(selector.selectedKeys().isEmpty());
    }

    // Selector.selectedKeys: keys may be removed from, but not added to it
    @Test
    void noKeyIsAddedToTheSetOfSelectedKeys() throws Exception {
        Selector selector = selector();
        SelectionKey key = writable(selector);
        assertThrows(UnsupportedOperationException.class, () -> selector.selectedKeys().add(key));
        assertThrows(UnsupportedOperationException.class, () -> selector.selectedKeys().addAll(Set.of(key)));
    }

    @Test
    void theSetOfSelectedKeysIsAlwaysTheSameOne() throws Exception {
        Selector selector = selector();
        Set<SelectionKey> selected = selector.selectedKeys();
        SelectionKey key = writable(selector);
        selector.select();
        assertSame(selected, selector.selectedKeys());
        assertTrue(selected.contains(key));
    }

    // Selector.keys: not directly modifiable
    @Test
    void theSetOfKeysCannotBeChanged() throws Exception {
        Selector selector = selector();
        SelectionKey key = writable(selector);
        assertThrows(UnsupportedOperationException.class, () -> selector.keys().remove(key));
        assertThrows(UnsupportedOperationException.class, () -> selector.keys().clear());
        assertThrows(UnsupportedOperationException.class, () -> selector.keys().add(key));
        Iterator<SelectionKey> iterator = selector.keys().iterator();
        iterator.next();
        assertThrows(UnsupportedOperationException.class, iterator::remove);
        assertEquals(Set.of(key), selector.keys());
    }

    // Selector: readiness is added to the ready set of a key that is selected already
    @Test
    void theReadyOperationsOfASelectedKeyAreAddedUp() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertEquals(1, selector.selectNow());
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        Until.holds("the ready set changes", () -> selector.selectNow() == 1);
        assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE, key.readyOps());
        assertEquals("x", TestBytes.readText(pair.client(), 1));
        assertEquals(0, selector.selectNow());
        assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE, key.readyOps());
        selector.selectedKeys().clear();
        assertEquals(1, selector.selectNow());
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
    }

    // Selector.select: returns the number of keys whose ready sets were updated
    @Test
    void aSelectionCountsTheKeysThatAreNewlyReady() throws Exception {
        Selector selector = selector();
        writable(selector);
        writable(selector);
        assertEquals(2, selector.selectNow());
        writable(selector);
        assertEquals(1, selector.selectNow());
        assertEquals(3, selector.selectedKeys().size());
    }

    // Selector.select(Consumer): performs the action on each ready key
    @Test
    void anActionIsPerformedOnEachReadyKey() throws Exception {
        Selector selector = selector();
        Set<SelectionKey> keys = Set.of(writable(selector), writable(selector));
        pair().nonBlocking().client().register(selector, SelectionKey.OP_READ);
        List<SelectionKey> seen = new ArrayList<>();
        assertEquals(2, selector.select(seen::add));
        assertEquals(2, seen.size());
        assertEquals(keys, new HashSet<>(seen));
    }

    @Test
    void anActionIsPerformedAgainWhileTheKeyIsReady() throws Exception {
        Selector selector = selector();
        SelectionKey key = writable(selector);
        List<SelectionKey> seen = new ArrayList<>();
        assertEquals(1, selector.select(seen::add, 1));
        assertEquals(1, selector.selectNow(seen::add));
        assertEquals(1, selector.select(seen::add));
        assertEquals(List.of(key, key, key), seen);
    }

    // Selector.select(Consumer): does not add keys to the selected-key set
    @Test
    void aSelectionWithAnActionDoesNotChangeTheSetOfSelectedKeys() throws Exception {
        Selector selector = selector();
        writable(selector);
        assertEquals(1, selector.select(key -> assertTrue(key.isWritable())));
        assertEquals(Set.of(), selector.selectedKeys());
    }

    @Test
    void anActionSeesTheOperationsThatAreReadyNow() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        int[] ready = {0};
        Until.holds("the channel is readable", () -> {
            selector.selectNow(key -> ready[0] = key.readyOps());
            return ready[0] == (SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        });
        assertEquals(1, pair.client().read(ByteBuffer.allocate(1)));
        selector.selectNow(key -> ready[0] = key.readyOps());
        assertEquals(SelectionKey.OP_WRITE, ready[0]);
    }

    @Test
    void aSelectionWithAnActionReturnsZeroWithoutAReadyChannel() throws Exception {
        Selector selector = selector();
        pair().nonBlocking().client().register(selector, SelectionKey.OP_READ);
        List<SelectionKey> seen = new ArrayList<>();
        assertEquals(0, selector.selectNow(seen::add));
        assertEquals(0, selector.select(seen::add, 1));
        assertEquals(List.of(), seen);
    }

    @Test
    void aWakeupEndsABlockedSelectionWithAnAction() throws Exception {
        Selector selector = selector();
        BlockingCall<Integer> select = BlockingCall.start(() -> selector.select(key -> {}))
                .awaitBlockedIn(selector, "select");
        selector.wakeup();
        assertEquals(0, select.result());
    }

    @Test
    void anActionCancelsItsKey() throws Exception {
        Selector selector = selector();
        SelectionKey key = writable(selector);
        assertEquals(1, selector.select(SelectionKey::cancel));
        assertFalse(key.isValid());
        assertEquals(0, selector.selectNow());
        assertEquals(Set.of(), selector.keys());
    }

    @Test
    void theActionMustNotBeNull() throws IOException {
        Selector selector = selector();
        assertThrows(NullPointerException.class, () -> selector.select(null));
        assertThrows(NullPointerException.class, () -> selector.select(null, 1));
        assertThrows(NullPointerException.class, () -> selector.selectNow(null));
    }

    // Selector.select(Consumer): an exception of the action is relayed to the caller
    @Test
    void anExceptionOfTheActionIsThrownAndTheSelectorIsUsableThen() throws Exception {
        Selector selector = selector();
        writable(selector);
        assertThrows(ArithmeticException.class, () -> selector.select(key -> {
            throw new ArithmeticException();
        }));
        assertEquals(1, selector.selectNow());
    }

    // Selector.select(Consumer): IllegalStateException if invoked recursively
    @Test
    void anActionMustNotSelect() throws Exception {
        Selector selector = selector();
        writable(selector);
        assertEquals(1, selector.select(key -> assertThrows(IllegalStateException.class, selector::selectNow)));
        assertEquals(1, selector.selectNow(
                key -> assertThrows(IllegalStateException.class, () -> selector.select(other -> {}))));
    }

    // Selector.select(Consumer): ClosedSelectorException if closed by the action
    @Test
    void anActionThatClosesTheSelectorEndsTheSelection() throws Exception {
        Selector selector = selector();
        writable(selector);
        assertThrows(ClosedSelectorException.class, () -> selector.select(key -> {
            try {
                selector.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }));
        assertFalse(selector.isOpen());
    }
}
