package io.jverbs.soft.nio.contract.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
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
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SelectableChannel.register, and how a channel is deregistered: by cancel and by close. */
abstract class RegistrationContract extends ChannelContract {
    private static final int UNDEFINED_OP = 1 << 1;

    RegistrationContract(ProviderUnderTest tested) {
        super(tested);
    }

    // SelectableChannel.register
    @Test
    void aKeyTellsWhatItWasRegisteredWith() throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        Object attachment = new Object();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ, attachment);
        assertTrue(key.isValid());
        assertSame(channel, key.channel());
        assertSame(selector, key.selector());
        assertSame(attachment, key.attachment());
        assertEquals(SelectionKey.OP_READ, key.interestOps());
        assertEquals(0, key.readyOps());
    }

    // SelectableChannel.isRegistered, keyFor, Selector.keys
    @Test
    void aRegisteredChannelHasAKeyForItsSelector() throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        assertFalse(channel.isRegistered());
        assertNull(channel.keyFor(selector));
        SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
        assertTrue(channel.isRegistered());
        assertSame(key, channel.keyFor(selector));
        assertNull(channel.keyFor(selector()));
        assertEquals(Set.of(key), selector.keys());
    }

    @Test
    void aChannelHasAKeyForEachOfTwoSelectors() throws IOException {
        Selector first = selector();
        Selector second = selector();
        ServerSocketChannel listener = nonBlockingListener();
        SelectionKey one = listener.register(first, SelectionKey.OP_ACCEPT);
        SelectionKey two = listener.register(second, 0);
        assertNotSame(one, two);
        assertSame(one, listener.keyFor(first));
        assertSame(two, listener.keyFor(second));
        assertEquals(Set.of(two), second.keys());
    }

    // SelectableChannel.register: IllegalBlockingModeException
    @Test
    void aChannelInBlockingModeIsNotRegistered() throws IOException {
        Selector selector = selector();
        SocketChannel channel = channel();
        assertThrows(IllegalBlockingModeException.class, () -> channel.register(selector, SelectionKey.OP_READ));
        assertThrows(IllegalBlockingModeException.class, () -> listener().register(selector, 0));
        assertFalse(channel.isRegistered());
        assertEquals(Set.of(), selector.keys());
    }

    // SelectableChannel.register: IllegalArgumentException if an operation is not valid
    @ParameterizedTest
    @ValueSource(ints = {SelectionKey.OP_ACCEPT, SelectionKey.OP_ACCEPT | SelectionKey.OP_READ, UNDEFINED_OP, -1})
    void operationsThatAChannelDoesNotHaveAreRefused(int operations) throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        assertThrows(IllegalArgumentException.class, () -> channel.register(selector, operations));
        assertFalse(channel.isRegistered());
    }

    @ParameterizedTest
    @ValueSource(ints = {SelectionKey.OP_READ, SelectionKey.OP_WRITE, SelectionKey.OP_CONNECT, UNDEFINED_OP})
    void operationsThatAListenerDoesNotHaveAreRefused(int operations) throws IOException {
        Selector selector = selector();
        ServerSocketChannel listener = nonBlockingListener();
        assertThrows(IllegalArgumentException.class, () -> listener.register(selector, operations));
        assertFalse(listener.isRegistered());
    }

    // SelectableChannel.register: ClosedChannelException
    @Test
    void aClosedChannelIsNotRegistered() throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        channel.close();
        assertThrows(ClosedChannelException.class, () -> channel.register(selector, SelectionKey.OP_READ));
        assertEquals(Set.of(), selector.keys());
    }

    // SelectableChannel.register: ClosedSelectorException
    @Test
    void aChannelIsNotRegisteredWithAClosedSelector() throws IOException {
        Selector selector = selector();
        selector.close();
        SocketChannel channel = nonBlockingChannel();
        assertThrows(ClosedSelectorException.class, () -> channel.register(selector, SelectionKey.OP_READ));
        assertFalse(channel.isRegistered());
    }

    @Test
    void theSelectorMustNotBeNull() throws IOException {
        SocketChannel channel = nonBlockingChannel();
        assertThrows(NullPointerException.class, () -> channel.register(null, SelectionKey.OP_READ));
        assertFalse(channel.isRegistered());
    }

    // SelectableChannel.register: if already registered, changes the interest set and the attachment
    @Test
    void aSecondRegistrationChangesTheKey() throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ, "first");
        assertSame(key, channel.register(selector, SelectionKey.OP_WRITE, "second"));
        assertEquals(SelectionKey.OP_WRITE, key.interestOps());
        assertEquals("second", key.attachment());
        assertSame(key, channel.register(selector, 0));
        assertNull(key.attachment());
        assertEquals(1, selector.keys().size());
    }

    // SelectableChannel.register: CancelledKeyException
    @Test
    void aChannelWhoseKeyIsCancelledIsRegisteredAgainAfterASelectionOnly() throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        key.cancel();
        assertThrows(CancelledKeyException.class, () -> channel.register(selector, SelectionKey.OP_READ));
        selector.selectNow();
        SelectionKey other = channel.register(selector, SelectionKey.OP_READ);
        assertNotSame(key, other);
        assertTrue(other.isValid());
        assertFalse(key.isValid());
    }

    // SelectionKey.cancel: the key is deregistered during the next selection
    @Test
    void aCancelledKeyIsInvalidAtOnceAndRemovedByTheNextSelection() throws Exception {
        Selector selector = selector();
        SocketChannel channel = pair().nonBlocking().client();
        SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
        assertEquals(1, selector.selectNow());
        key.cancel();
        assertFalse(key.isValid());
        assertTrue(channel.isRegistered());
        assertEquals(Set.of(key), selector.keys());
        assertEquals(Set.of(key), selector.selectedKeys());
        assertEquals(0, selector.selectNow());
        assertFalse(channel.isRegistered());
        assertNull(channel.keyFor(selector));
        assertEquals(Set.of(), selector.keys());
        assertEquals(Set.of(), selector.selectedKeys());
        assertTrue(channel.isOpen());
    }

    @Test
    void aSecondCancelHasNoEffect() throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        key.cancel();
        key.cancel();
        selector.selectNow();
        SelectionKey other = channel.register(selector, SelectionKey.OP_READ);
        key.cancel();
        selector.selectNow();
        assertTrue(other.isValid());
        assertEquals(Set.of(other), selector.keys());
    }

    // SelectableChannel: when a channel is closed, all its keys are cancelled
    @Test
    void aClosedChannelsKeysAreInvalidAtOnceAndRemovedByTheNextSelection() throws Exception {
        Selector first = selector();
        Selector second = selector();
        SocketChannel channel = pair().nonBlocking().client();
        SelectionKey one = channel.register(first, SelectionKey.OP_WRITE);
        SelectionKey two = channel.register(second, SelectionKey.OP_WRITE);
        assertEquals(1, first.selectNow());
        channel.close();
        assertFalse(one.isValid());
        assertFalse(two.isValid());
        assertEquals(0, first.selectNow());
        assertEquals(0, second.selectNow());
        assertEquals(Set.of(), first.keys());
        assertEquals(Set.of(), first.selectedKeys());
        assertEquals(Set.of(), second.keys());
        assertFalse(channel.isRegistered());
    }

    @Test
    void aClosedListenersKeyIsRemovedByTheNextSelection() throws IOException {
        Selector selector = selector();
        ServerSocketChannel listener = nonBlockingListener();
        SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
        listener.close();
        assertFalse(key.isValid());
        assertEquals(0, selector.selectNow());
        assertEquals(Set.of(), selector.keys());
    }

    @Test
    void thePeerOfARegisteredChannelReadsTheEndOfTheStreamWhenItIsClosed() throws Exception {
        Selector selector = selector();
        Pair pair = pair();
        pair.client().configureBlocking(false);
        pair.client().register(selector, SelectionKey.OP_READ);
        pair.client().close();
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @Test
    void aChannelThatIsClosedDuringASelectionIsRemovedByTheNextOne() throws Exception {
        Selector selector = selector();
        SocketChannel channel = pair().nonBlocking().client();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = BlockingCall.start(() -> selector.select())
                .awaitBlockedIn(selector, "select");
        channel.close();
        assertFalse(key.isValid());
        selector.wakeup();
        assertEquals(0, select.result());
        selector.selectNow();
        assertEquals(Set.of(), selector.keys());
    }

    // SelectableChannel.configureBlocking: IllegalBlockingModeException
    @Test
    void aRegisteredChannelIsNotSetToBlockingMode() throws IOException {
        Selector selector = selector();
        SocketChannel channel = nonBlockingChannel();
        channel.register(selector, SelectionKey.OP_READ);
        assertThrows(IllegalBlockingModeException.class, () -> channel.configureBlocking(true));
        assertFalse(channel.isBlocking());
        assertSame(channel, channel.configureBlocking(false));
        assertTrue(channel.isRegistered());
    }

    @Test
    void aChannelIsSetToBlockingModeWhenItsKeysAreCancelled() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ).cancel();
        pair.client().configureBlocking(true);
        assertTrue(pair.client().isBlocking());
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals("x", TestBytes.readText(pair.client(), 1));
        selector.selectNow();
        assertFalse(pair.client().isRegistered());
    }

    // Selector: safe for use by several threads; a registration does not wait for a selection
    @ParameterizedTest
    @EnumSource
    void aChannelIsRegisteredWhileAThreadSelects(ThreadKind kind) throws Exception {
        Selector selector = selector();
        BlockingCall<Integer> select = BlockingCall.start(kind, () -> selector.select())
                .awaitBlockedIn(selector, "select");
        SelectionKey key = pair().nonBlocking().client().register(selector, SelectionKey.OP_WRITE);
        assertEquals(Set.of(key), selector.keys());
        selector.wakeup();
        select.result();
        selector.selectedKeys().clear();
        assertEquals(1, selector.select());
        assertTrue(key.isWritable());
    }

    @Test
    void aKeyIsCancelledWhileAThreadSelects() throws Exception {
        Selector selector = selector();
        SocketChannel channel = pair().nonBlocking().client();
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = BlockingCall.start(() -> selector.select())
                .awaitBlockedIn(selector, "select");
        key.cancel();
        assertFalse(key.isValid());
        selector.wakeup();
        assertEquals(0, select.result());
        assertEquals(Set.of(), selector.keys());
        assertFalse(channel.isRegistered());
    }

    @Test
    void bytesForACancelledKeyEndTheSelectionThatRemovesIt() throws Exception {
        Selector selector = selector();
        Pair pair = pair().nonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = BlockingCall.start(() -> selector.select())
                .awaitBlockedIn(selector, "select");
        key.cancel();
        TestBytes.writeFully(pair.server(), TestBytes.text("x"));
        assertEquals(0, select.result());
        assertEquals(Set.of(), selector.keys());
        assertFalse(pair.client().isRegistered());
    }

    @Test
    void bytesInAPipeWhoseKeyIsCancelledEndTheSelectionThatRemovesIt() throws Exception {
        Selector selector = selector();
        Pipe pipe = provider().openPipe();
        closeLater(pipe.sink());
        Pipe.SourceChannel source = closeLater(pipe.source());
        source.configureBlocking(false);
        SelectionKey key = source.register(selector, SelectionKey.OP_READ);
        BlockingCall<Integer> select = BlockingCall.start(() -> selector.select())
                .awaitBlockedIn(selector, "select");
        key.cancel();
        pipe.sink().write(TestBytes.text("x"));
        assertEquals(0, select.result());
        assertEquals(Set.of(), selector.keys());
        assertFalse(source.isRegistered());
    }

    @Test
    void aHundredChannelsAreRegisteredAndDeregisteredOneAfterTheOther() throws IOException {
        Selector selector = selector();
        for (int i = 0; i < 100; i++) {
            SocketChannel channel = nonBlockingChannel();
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            if (i % 2 == 0) {
                channel.close();
            } else {
                key.cancel();
            }
            selector.selectNow();
            assertEquals(Set.of(), selector.keys());
        }
    }
}
