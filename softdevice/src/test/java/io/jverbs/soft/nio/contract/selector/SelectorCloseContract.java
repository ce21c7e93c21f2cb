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
import io.jverbs.soft.nio.contract.ThreadKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Selector.close. */
abstract class SelectorCloseContract extends ChannelContract {
    SelectorCloseContract(ProviderUnderTest tested) {
        super(tested);
    }

    // Selector.close, isOpen
    @Test
    void aClosedSelectorIsNotOpen() throws IOException {
        Selector selector = selector();
        selector.close();
        assertFalse(selector.isOpen());
    }

    // Selector.close: if already closed, no effect
    @Test
    void aSecondCloseHasNoEffect() throws Exception {
        Selector selector = selector();
        pair().nonBlocking().client().register(selector, SelectionKey.OP_READ);
        selector.close();
        selector.close();
        assertFalse(selector.isOpen());
    }

    // Selector.close: any further use, except close and wakeup, throws ClosedSelectorException
    @Test
    void aClosedSelectorNeitherSelectsNorTellsItsKeys() throws IOException {
        Selector selector = selector();
        selector.close();
        assertThrows(ClosedSelectorException.class, selector::keys);
        assertThrows(ClosedSelectorException.class, selector::selectedKeys);
        assertThrows(ClosedSelectorException.class, () -> selector.select());
        assertThrows(ClosedSelectorException.class, () -> selector.select(1));
        assertThrows(ClosedSelectorException.class, () -> selector.selectNow());
        assertThrows(ClosedSelectorException.class, () -> selector.select(key -> {}));
        assertThrows(ClosedSelectorException.class, () -> selector.select(key -> {}, 1));
        assertThrows(ClosedSelectorException.class, () -> selector.selectNow(key -> {}));
    }

    @Test
    void aWakeupOfAClosedSelectorHasNoEffect() throws IOException {
        Selector selector = selector();
        selector.close();
        assertSame(selector, selector.wakeup());
    }

    // Selector.close: a thread that blocks in a selection is woken as if by wakeup
    @ParameterizedTest
    @EnumSource
    void aCloseEndsABlockedSelection(ThreadKind kind) throws Exception {
        Selector selector = selector();
        pair().nonBlocking().client().register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = BlockingCall.start(kind, () -> selector.select())
                .awaitBlockedIn(selector, "select");
        selector.close();
        assertEquals(0, select.result());
    }

    @ParameterizedTest
    @EnumSource
    void aLoopOfSelectionsEndsWithAnExceptionWhenTheSelectorIsClosed(ThreadKind kind) throws Exception {
        Selector selector = selector();
        BlockingCall<Object> loop = BlockingCall.start(kind, () -> {
            while (true) {
                selector.select();
            }
        }).awaitBlockedIn(selector, "select");
        selector.close();
        loop.failure(ClosedSelectorException.class);
        assertFalse(loop.isInterruptedAfterwards());
    }

    // Selector.close: keys are invalidated, channels are deregistered
    @Test
    void theChannelsOfAClosedSelectorAreDeregisteredAndStayOpen() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        selector.close();
        assertFalse(key.isValid());
        assertFalse(pair.client().isRegistered());
        assertNull(pair.client().keyFor(selector));
        assertTrue(pair.client().isOpen());
        pair.client().configureBlocking(true);
        TestBytes.writeFully(pair.client(), TestBytes.text("x"));
        assertEquals("x", TestBytes.readText(pair.server(), 1));
    }

    @Test
    void aChannelOfAClosedSelectorIsRegisteredWithAnother() throws Exception {
        Selector first = selector();
        Selector second = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(first, SelectionKey.OP_WRITE);
        pair.client().register(second, SelectionKey.OP_READ);
        first.close();
        assertTrue(pair.client().isRegistered());
        assertEquals(0, second.selectNow());
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals(1, second.select());
        Selector third = selector();
        pair.client().register(third, SelectionKey.OP_WRITE);
        assertEquals(1, third.selectNow());
    }

    @Test
    void aChannelThatWasClosedBeforeItsSelectorIsClosedAtItsPeerToo() throws Exception {
        Selector selector = selector();
        Pair pair = pair();
        pair.client().configureBlocking(false);
        pair.client().register(selector, SelectionKey.OP_READ);
        pair.client().close();
        selector.close();
        assertFalse(pair.client().isRegistered());
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @Test
    void aSelectorWithCancelledAndSelectedKeysIsClosed() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey cancelled = pair.client().register(selector, SelectionKey.OP_WRITE);
        SelectionKey selected = pair.server().register(selector, SelectionKey.OP_WRITE);
        assertEquals(2, selector.selectNow());
        cancelled.cancel();
        selector.close();
        assertFalse(selected.isValid());
        assertFalse(pair.client().isRegistered());
        assertFalse(pair.server().isRegistered());
    }

    @Test
    void fourThreadsCloseASelectorAtTheSameTime() throws Exception {
        Selector selector = selector();
        pair().nonBlocking().client().register(selector, SelectionKey.OP_READ);
        List<BlockingCall<Boolean>> closes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            closes.add(BlockingCall.start(() -> {
                selector.close();
                return selector.isOpen();
            }));
        }
        for (BlockingCall<Boolean> close : closes) {
            assertFalse(close.result());
        }
    }

    @Test
    void aHundredSelectorsAreOpenedAndClosedOneAfterTheOther() throws Exception {
        Pair pair = pair().nonBlocking();
        for (int i = 0; i < 100; i++) {
            try (Selector selector = provider().openSelector()) {
                pair.client().register(selector, SelectionKey.OP_WRITE);
                assertEquals(1, selector.selectNow());
            }
            assertFalse(pair.client().isRegistered());
        }
    }
}
