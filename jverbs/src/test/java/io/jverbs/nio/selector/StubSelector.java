package io.jverbs.nio.selector;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** In place of the JDK's selector: has one key, and fails in the steps that a test chooses. */
final class StubSelector extends AbstractSelector {
    /** What fails once, the next time. */
    private volatile Step failing;
    private volatile Runnable whenRegistered = () -> {};
    private final Semaphore wakeups = new Semaphore(0);
    private final Set<SelectionKey> selected = Set.of();
    private volatile boolean blocked;
    private volatile Key key;

    /** A step of a selector. */
    enum Step {
        OPEN, SELECT_NOW, WAKEUP
    }

    /** The key. */
    final class Key extends AbstractSelectionKey {
        private final SelectableChannel channel;
        private volatile int interest;

        Key(SelectableChannel channel, int interest) {
            this.channel = channel;
            this.interest = interest;
        }

        @Override
        public SelectableChannel channel() {
            return channel;
        }

        @Override
        public Selector selector() {
            return StubSelector.this;
        }

        @Override
        public int interestOps() {
            return interest;
        }

        @Override
        public SelectionKey interestOps(int ops) {
            interest = ops;
            return this;
        }

        @Override
        public int readyOps() {
            return interest;
        }
    }

    private final class Provider extends SelectorProvider {
        @Override
        public DatagramChannel openDatagramChannel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DatagramChannel openDatagramChannel(ProtocolFamily family) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Pipe openPipe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public AbstractSelector openSelector() throws IOException {
            if (isFailing(Step.OPEN)) {
                throw new IOException("too many open files");
            }
            return StubSelector.this;
        }

        @Override
        public ServerSocketChannel openServerSocketChannel() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketChannel openSocketChannel() {
            throw new UnsupportedOperationException();
        }
    }

    StubSelector() {
        super(null);
    }

    /** Returns a provider that opens this selector. */
    SelectorProvider opener() {
        return new Provider();
    }

    /** Has the next call of a step fail. */
    StubSelector failOnce(Step step) {
        failing = step;
        return this;
    }

    private boolean isFailing(Step step) {
        boolean fails = failing == step;
        if (fails) {
            failing = null;
        }
        return fails;
    }

    /** Has an action run while a channel is registered, after its interest is read. */
    void whileRegistering(Runnable action) {
        whenRegistered = action;
    }

    Key key() {
        return key;
    }

    /** Returns whether a thread waits in this selector. */
    boolean isBlocked() {
        return blocked;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        Key made = new Key(channel, ops);
        made.attach(attachment);
        whenRegistered.run();
        key = made;
        return made;
    }

    @Override
    public Set<SelectionKey> keys() {
        Key present = key;
        return present == null ? Set.of() : Set.of(present);
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        return selected;
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        try {
            blocked = true;
            boolean isWoken = wakeups.tryAcquire(timeout == 0 ? Long.MAX_VALUE : timeout, TimeUnit.MILLISECONDS);
            assert isWoken || timeout > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            blocked = false;
        }
        return 0;
    }

    /** Finds the key if it is valid and has an interest. */
    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        if (isFailing(Step.SELECT_NOW)) {
            throw new IOException("a failure of the selector");
        }
        Key present = key;
        if (present != null && !present.isValid()) {
            key = null;
            deregister(present);
        } else if (present != null && present.interest != 0) {
            action.accept(present);
        }
        return 0;
    }

    @Override
    public int selectNow() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select(long timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Selector wakeup() {
        if (isFailing(Step.WAKEUP)) {
            throw new StackOverflowError("for a test");
        }
        wakeups.release();
        return this;
    }

    @Override
    protected void implCloseSelector() {
        Key present = key;
        key = null;
        if (present != null) {
            deregister(present);
        }
    }
}
