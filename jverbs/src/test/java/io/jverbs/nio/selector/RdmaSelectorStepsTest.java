package io.jverbs.nio.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.Wait;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a selector keeps if one of its steps fails, or if another thread comes between two of them. */
@Timeout(60)
final class RdmaSelectorStepsTest {
    private static final int READ = SelectionKey.OP_READ;
    private static final int WRITE = SelectionKey.OP_WRITE;

    private final StubSelector jdk = new StubSelector();
    private final RdmaSelector selector = selector(jdk);
    private Pipe pipe;

    private static RdmaSelector selector(StubSelector jdk) {
        return new RdmaSelector(null, jdk::opener, 0);
    }

    @BeforeEach
    void open() throws IOException {
        pipe = Pipe.open();
        pipe.source().configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        pipe.source().close();
        pipe.sink().close();
    }

    private static StubChannel channel() throws IOException {
        StubChannel channel = new StubChannel();
        channel.configureBlocking(false);
        return channel;
    }

    @Test
    void aWakeupAfterOneThatHasFailedEndsTheSelection() throws Exception {
        pipe.source().register(selector, READ);
        FutureTask<Integer> select = new FutureTask<>(() -> selector.select());
        Thread.ofPlatform().daemon().start(select);
        assertTrue(Wait.until(30_000, jdk::isBlocked), "the selection blocks");
        jdk.failOnce(StubSelector.Step.WAKEUP);
        assertThrows(StackOverflowError.class, selector::wakeup);
        selector.wakeup();
        assertEquals(0, select.get(30, TimeUnit.SECONDS));
    }

    @Test
    void aKeyOfTheJdkHasTheInterestThatIsSetWhileItsChannelIsRegistered() throws IOException {
        StubChannel channel = channel();
        SelectionKey key = channel.register(selector, 0);
        jdk.whileRegistering(() -> key.interestOps(READ));
        channel.keys().use(pipe.source());
        assertEquals(READ, jdk.key().interestOps());
    }

    @Test
    void aKeyOfTheJdkThatIsFoundWithoutAnInterestLosesItsOwn() throws IOException {
        SelectionKey key = pipe.source().register(selector, 0);
        jdk.key().interestOps(READ);
        assertEquals(0, selector.selectNow());
        assertEquals(0, jdk.key().interestOps());
        key.interestOps(READ);
        assertEquals(1, selector.selectNow());
    }

    @Test
    void aChannelWhoseRegistrationFailsIsNeitherNotifiedNorSelected() throws IOException {
        StubChannel channel = channel().with(pipe.source());
        jdk.failOnce(StubSelector.Step.OPEN);
        assertThrows(IllegalStateException.class, () -> channel.register(selector, READ));
        assertNull(channel.keyFor(selector));
        assertEquals(Set.of(), selector.keys());
        assertEquals(0, channel.keys().interest());
        channel.ready(READ);
        assertEquals(0, selector.selectNow());

        SelectionKey key = channel.register(selector, READ);
        assertEquals(1, selector.selectNow());
        assertEquals(Set.of(key), selector.selectedKeys());
    }

    @Test
    void aKeyThatIsCancelledIsRemovedByTheSelectionAfterOneThatHasFailed() throws IOException {
        StubChannel channel = channel();
        for (SelectableChannel each : new SelectableChannel[] {pipe.source(), channel}) {
            each.register(selector, READ).cancel();
        }
        jdk.failOnce(StubSelector.Step.SELECT_NOW);
        assertThrows(IOException.class, selector::selectNow);
        assertEquals(0, selector.selectNow());
        assertFalse(channel.isRegistered());
        assertFalse(pipe.source().isRegistered());
        assertTrue(channel.register(selector, READ).isValid());
        assertTrue(pipe.source().register(selector, READ).isValid());
    }

    @Test
    void aRequestOfANotificationHasTheInterestThatAKeyOfAnotherSelectorGetsMeanwhile() throws IOException {
        StubChannel channel = channel();
        try (Selector other = selector(new StubSelector())) {
            SelectionKey itsKey = channel.register(other, 0);
            channel.register(selector, READ);
            channel.beforeRequest(() -> itsKey.interestOps(WRITE));
            assertEquals(0, selector.select(1));
            assertEquals(READ | WRITE, channel.requested());
        }
    }
}
