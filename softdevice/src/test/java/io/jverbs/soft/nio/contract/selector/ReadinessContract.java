package io.jverbs.soft.nio.contract.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import io.jverbs.soft.nio.contract.Until;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a selector reports a channel as ready. */
abstract class ReadinessContract extends ChannelContract {
    private static final int CHANNELS = 200;
    private static final int READ_AND_WRITE = SelectionKey.OP_READ | SelectionKey.OP_WRITE;

    ReadinessContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static void write(SocketChannel to, String text) throws Exception {
        TestBytes.writeFully(to, TestBytes.text(text));
    }

    /** Selects keys anew. */
    private static int selectAgain(Selector selector) throws Exception {
        selector.selectedKeys().clear();
        return selector.select();
    }

    private static int selectNowAgain(Selector selector) throws Exception {
        selector.selectedKeys().clear();
        return selector.selectNow();
    }

    // SelectionKey.OP_READ
    @ParameterizedTest
    @EnumSource
    void dataEndsABlockedSelection(ThreadKind kind) throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = BlockingCall.start(kind, () -> selector.select())
                .awaitBlockedIn(selector, "select");
        write(pair.server(), "x");
        assertEquals(1, select.result());
        assertTrue(key.isReadable());
        assertFalse(key.isWritable() || key.isConnectable() || key.isAcceptable());
    }

    @ParameterizedTest
    @EnumSource
    void theEndOfTheStreamEndsABlockedSelection(ThreadKind kind) throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = BlockingCall.start(kind, () -> selector.select())
                .awaitBlockedIn(selector, "select");
        pair.server().close();
        assertEquals(1, select.result());
        assertTrue(key.isReadable());
    }

    // SelectionKey.OP_ACCEPT
    @ParameterizedTest
    @EnumSource
    void aConnectionEndsABlockedSelection(ThreadKind kind) throws Exception {
        Selector selector = selector();
        ServerSocketChannel listener = nonBlockingListener();
        SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
        BlockingCall<Integer> select = BlockingCall.start(kind, () -> selector.select())
                .awaitBlockedIn(selector, "select");
        nonBlockingChannel().connect(addressOf(listener));
        assertEquals(1, select.result());
        assertTrue(key.isAcceptable());
        assertFalse(key.isReadable() || key.isWritable() || key.isConnectable());
    }

    // SelectionKey.OP_WRITE
    @ParameterizedTest
    @EnumSource
    void roomForBytesEndsABlockedSelection(ThreadKind kind) throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(selector, SelectionKey.OP_WRITE);
        long[] written = {0};
        Until.holds("the channel is not writable", () -> {
            written[0] = TestBytes.fill(pair.client(), written[0]);
            return selectNowAgain(selector) == 0;
        });
        BlockingCall<Integer> select = BlockingCall.start(kind, () -> selector.select())
                .awaitBlockedIn(selector, "select");
        TestBytes.readSequence(pair.server(), written[0]);
        assertEquals(1, select.result());
    }

    @Test
    void aConnectedChannelIsWritable() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey client = pair.client().register(selector, SelectionKey.OP_WRITE);
        SelectionKey server = pair.server().register(selector, SelectionKey.OP_WRITE);
        assertEquals(2, selector.selectNow());
        assertTrue(client.isWritable());
        assertTrue(server.isWritable());
    }

    @Test
    void aChannelThatIsNotConnectedIsNotReadableOrWritable() throws Exception {
        Selector selector = selector();
        SelectionKey key = pendingChannel().register(selector, READ_AND_WRITE);
        assertEquals(0, selector.selectNow());
        assertEquals(0, key.readyOps());
    }

    @Test
    void aChannelIsReportedForBothOperationsAtOnce() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, READ_AND_WRITE);
        write(pair.server(), "x");
        Until.holds("both operations are ready",
                () -> selectAgain(selector) == 1 && key.readyOps() == READ_AND_WRITE);
    }

    @Test
    void dataThatArrivedBeforeTheChannelWasRegisteredIsReported() throws Exception {
        Pair pair = pair();
        write(pair.server(), "ab");
        assertEquals("a", TestBytes.readText(pair.client(), 1));
        Selector selector = selector();
        pair.nonBlocking().client().register(selector, SelectionKey.OP_READ);
        assertEquals(1, selector.selectNow());
    }

    /** Readiness is a state, not an event. */
    @Test
    void dataThatIsLeftUnreadIsReportedAgain() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ);
        write(pair.server(), "x");
        for (int i = 0; i < 5; i++) {
            assertEquals(1, selectAgain(selector));
        }
    }

    @Test
    void dataThatIsReadInPartIsReportedAgainUntilAllIsRead() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ);
        pair.server().write(TestBytes.text("abc"));
        for (int i = 0; i < 3; i++) {
            assertEquals(1, selectAgain(selector));
            assertEquals(1, pair.client().read(ByteBuffer.allocate(1)));
        }
        assertEquals(0, selectNowAgain(selector));
    }

    @Test
    void aChannelIsReportedAgainForEachByte() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ);
        for (int i = 0; i < 100; i++) {
            write(pair.server(), "x");
            assertEquals(1, selectAgain(selector));
            assertEquals("x", TestBytes.readText(pair.client(), 1));
            assertEquals(0, selectNowAgain(selector));
        }
    }

    @Test
    void aChannelWithoutInterestIsNotReported() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        write(pair.server(), "x");
        assertEquals(1, selector.select());
        key.interestOps(0);
        assertEquals(0, selectNowAgain(selector));
        key.interestOps(SelectionKey.OP_READ);
        assertEquals(1, selectNowAgain(selector));
    }

    @Test
    void onlyTheChannelsThatAreReadyAreReported() throws Exception {
        Selector selector = selector();
        ServerSocketChannel listener = listener();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            pairs.add(pair(listener).nonBlocking());
            pairs.get(i).client().register(selector, SelectionKey.OP_READ, i);
        }
        write(pairs.get(7).server(), "x");
        assertEquals(1, selector.select());
        assertEquals(7, selector.selectedKeys().iterator().next().attachment());
    }

    @Test
    void aHundredAndMoreChannelsOfOneSelectorAreReported() throws Exception {
        Selector selector = selector();
        ServerSocketChannel listener = listener();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < CHANNELS; i++) {
            pairs.add(pair(listener).nonBlocking());
            pairs.get(i).client().register(selector, SelectionKey.OP_READ, i);
        }
        assertEquals(CHANNELS, selector.keys().size());
        for (int round = 0; round < 3; round++) {
            for (Pair pair : pairs) {
                write(pair.server(), "x");
            }
            Set<Object> seen = new HashSet<>();
            Until.holds("all channels are reported", () -> {
                selector.select(key -> seen.add(key.attachment()));
                return seen.size() == CHANNELS;
            });
            for (Pair pair : pairs) {
                assertEquals("x", TestBytes.readText(pair.client(), 1));
            }
            assertEquals(0, selector.selectNow());
        }
    }

    @Test
    void aChannelIsReportedByEachOfTwoSelectors() throws Exception {
        Selector first = selector();
        Selector second = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey read = pair.client().register(first, SelectionKey.OP_READ);
        SelectionKey write = pair.client().register(second, SelectionKey.OP_WRITE);
        assertEquals(0, first.selectNow());
        assertEquals(1, second.selectNow());
        write(pair.server(), "x");
        assertEquals(1, first.select());
        assertEquals(SelectionKey.OP_READ, read.readyOps());
        assertEquals(SelectionKey.OP_WRITE, write.readyOps());
    }

    @Test
    void theSameDataIsReportedByEachOfTwoSelectors() throws Exception {
        Selector first = selector();
        Selector second = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(first, SelectionKey.OP_READ);
        pair.client().register(second, SelectionKey.OP_READ);
        BlockingCall<Integer> one = BlockingCall.start(() -> first.select()).awaitBlockedIn(first, "select");
        BlockingCall<Integer> two = BlockingCall.start(() -> second.select()).awaitBlockedIn(second, "select");
        write(pair.server(), "x");
        assertEquals(1, one.result());
        assertEquals(1, two.result());
    }

    @Test
    void aKeyThatIsCancelledInOneSelectorIsReportedByTheOther() throws Exception {
        Selector first = selector();
        Selector second = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(first, SelectionKey.OP_READ).cancel();
        SelectionKey key = pair.client().register(second, SelectionKey.OP_READ);
        write(pair.server(), "x");
        assertEquals(1, second.select());
        assertTrue(key.isReadable());
        assertEquals(0, first.selectNow());
    }

    @Test
    void bothSidesOfAConnectionAreReportedByOneSelector() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey client = pair.client().register(selector, SelectionKey.OP_READ);
        SelectionKey server = pair.server().register(selector, SelectionKey.OP_READ);
        write(pair.client(), "to the server");
        assertEquals(1, selector.select());
        assertEquals(Set.of(server), selector.selectedKeys());
        assertEquals("to the server", TestBytes.readText(pair.server(), 13));
        write(pair.server(), "to the client");
        assertEquals(1, selectAgain(selector));
        assertEquals(Set.of(client), selector.selectedKeys());
    }
}
