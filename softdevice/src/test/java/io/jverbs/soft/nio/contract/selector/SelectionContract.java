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
import io.jverbs.soft.nio.contract.ThreadKind;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Selector.select, selectNow and wakeup: how long a selection blocks. */
abstract class SelectionContract extends ChannelContract {
    private static final long MILLIS = 30;
    /** Longer than any test. */
    private static final long LONG_MILLIS = 3_600_000;

    SelectionContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static BlockingCall<Integer> blockInSelect(ThreadKind kind, Selector selector) throws Exception {
        return BlockingCall.start(kind, () -> selector.select()).awaitBlockedIn(selector, "select");
    }

    private static void assertWaitsForItsTimeout(Selector selector) throws IOException {
        long start = System.nanoTime();
        assertEquals(0, selector.select(MILLIS));
        long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= TimeUnit.MILLISECONDS.toNanos(MILLIS), () -> elapsed + " ns");
    }

    // SelectorProvider.openSelector, Selector.provider
    @Test
    void aNewSelectorIsOpenAndHasNoKeys() throws IOException {
        Selector selector = selector();
        assertTrue(selector.isOpen());
        assertSame(provider(), selector.provider());
        assertEquals(Set.of(), selector.keys());
        assertEquals(Set.of(), selector.selectedKeys());
    }

    // Selector.selectNow
    @Test
    void selectNowReturnsZeroWithoutKeys() throws IOException {
        assertEquals(0, selector().selectNow());
    }

    @Test
    void selectNowReturnsZeroWithoutAReadyChannel() throws Exception {
        Selector selector = selector();
        pair().nonBlocking().client().register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        assertEquals(Set.of(), selector.selectedKeys());
    }

    // Selector.select(long): until the timeout expires
    @Test
    void aSelectionWithATimeoutReturnsZeroAfterAtLeastThatTime() throws Exception {
        assertWaitsForItsTimeout(selector());
    }

    @Test
    void aSelectionWithATimeoutAndAnIdleChannelReturnsZeroAfterAtLeastThatTime() throws Exception {
        Selector selector = selector();
        pair().nonBlocking().client().register(selector, SelectionKey.OP_READ);
        assertWaitsForItsTimeout(selector);
    }

    @ParameterizedTest
    @EnumSource
    void aSelectionWithATimeoutEndsOnEachKindOfThread(ThreadKind kind) throws Exception {
        Selector selector = selector();
        BlockingCall.start(kind, () -> {
            assertWaitsForItsTimeout(selector);
            return null;
        }).result();
    }

    // Selector.select(long): IllegalArgumentException
    @Test
    void aNegativeTimeoutIsRefused() throws IOException {
        Selector selector = selector();
        assertThrows(IllegalArgumentException.class, () -> selector.select(-1));
        assertThrows(IllegalArgumentException.class, () -> selector.select(key -> {}, -1));
    }

    // Selector.select(long): a timeout of zero blocks indefinitely
    @Test
    void aTimeoutOfZeroBlocksUntilAWakeup() throws Exception {
        Selector selector = selector();
        BlockingCall<Integer> select = BlockingCall.start(() -> selector.select(0))
                .awaitBlockedIn(selector, "select");
        selector.wakeup();
        assertEquals(0, select.result());
    }

    @Test
    void theLongestTimeoutDoesNotEndAtOnce() throws Exception {
        Selector selector = selector();
        BlockingCall<Integer> select = BlockingCall.start(() -> selector.select(Long.MAX_VALUE))
                .awaitBlockedIn(selector, "select");
        selector.wakeup();
        assertEquals(0, select.result());
    }

    // Selector.wakeup
    @ParameterizedTest
    @EnumSource
    void aWakeupEndsABlockedSelection(ThreadKind kind) throws Exception {
        Selector selector = selector();
        BlockingCall<Integer> select = blockInSelect(kind, selector);
        assertSame(selector, selector.wakeup());
        assertEquals(0, select.result());
    }

    @ParameterizedTest
    @EnumSource
    void aWakeupEndsASelectionWithATimeout(ThreadKind kind) throws Exception {
        Selector selector = selector();
        BlockingCall<Integer> select = BlockingCall.start(kind, () -> selector.select(LONG_MILLIS))
                .awaitBlockedIn(selector, "select");
        selector.wakeup();
        assertEquals(0, select.result());
    }

    // Selector.wakeup: if no selection is in progress, the next one returns immediately
    @Test
    void aWakeupBeforeASelectionEndsIt() throws IOException {
        Selector selector = selector();
        selector.wakeup();
        assertEquals(0, selector.select());
    }

    // Selector.wakeup: more than once between two selections has the effect of once
    @Test
    void twoWakeupsEndOneSelection() throws Exception {
        Selector selector = selector();
        selector.wakeup();
        selector.wakeup();
        assertEquals(0, selector.select());
        assertWaitsForItsTimeout(selector);
    }

    // Selector.selectNow: clears the effect of any previous wakeup
    @Test
    void selectNowConsumesAWakeup() throws Exception {
        Selector selector = selector();
        selector.wakeup();
        assertEquals(0, selector.selectNow());
        assertWaitsForItsTimeout(selector);
    }

    @Test
    void everyOneOfManyWakeupsEndsASelection() throws Exception {
        Selector selector = selector();
        for (int i = 0; i < 50; i++) {
            BlockingCall<Integer> select = blockInSelect(ThreadKind.PLATFORM, selector);
            selector.wakeup();
            assertEquals(0, select.result());
        }
        assertWaitsForItsTimeout(selector);
    }

    @Test
    void aWakeupDoesNotHideAReadyChannel() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(selector, SelectionKey.OP_WRITE);
        selector.wakeup();
        assertEquals(1, selector.select());
    }

    @Test
    void aWakeupOfOneSelectorDoesNotEndTheSelectionOfAnother() throws Exception {
        Selector selector = selector();
        Selector other = selector();
        BlockingCall<Integer> select = blockInSelect(ThreadKind.PLATFORM, selector);
        other.wakeup();
        assertEquals(0, other.select());
        select.awaitBlockedIn(selector, "select");
        selector.wakeup();
        assertEquals(0, select.result());
    }

    // Selector: if the thread is interrupted, the selection returns and its interrupt status is set
    @ParameterizedTest
    @EnumSource
    void anInterruptEndsABlockedSelectionAndTheInterruptStatusIsSet(ThreadKind kind) throws Exception {
        Selector selector = selector();
        BlockingCall<Integer> select = blockInSelect(kind, selector);
        assertEquals(0, select.interrupt().result());
        assertTrue(select.isInterruptedAfterwards());
        assertTrue(selector.isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void aSelectionOfAnInterruptedThreadReturnsAtOnceAndTheInterruptStatusRemains(ThreadKind kind)
            throws Exception {
        Selector selector = selector();
        BlockingCall<Integer> select = BlockingCall.startInterrupted(kind, () -> selector.select());
        assertEquals(0, select.result());
        assertTrue(select.isInterruptedAfterwards());
        assertTrue(selector.isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void aSelectionOfAnInterruptedThreadReportsReadyChannels(ThreadKind kind) throws Exception {
        Selector selector = selector();
        pair().nonBlocking().client().register(selector, SelectionKey.OP_WRITE);
        BlockingCall<Integer> select = BlockingCall.startInterrupted(kind, () -> selector.select());
        assertEquals(1, select.result());
        assertTrue(select.isInterruptedAfterwards());
    }

    @Test
    void aSelectorIsUsableAfterAnInterrupt() throws Exception {
        Selector selector = selector();
        blockInSelect(ThreadKind.PLATFORM, selector).interrupt().result();
        Pair pair = pair().nonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = blockInSelect(ThreadKind.PLATFORM, selector);
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals(1, select.result());
        assertFalse(select.isInterruptedAfterwards());
    }
}
