package io.jverbs.nio.selector;

import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * A scenario that registers channels of both kinds, selects, blocks, changes and cancels keys, and closes a selector,
 * while an Error is thrown at one injection point. It checks that afterwards each channel is registered or can be, that
 * each key is found, that what ends a selection does so, and that a close leaves no key. The test loads this class with
 * a class loader of its own, together with the classes of the selectors.
 */
public final class InjectedSelections implements IntFunction<String>, AutoCloseable {
    /** More than the arrays of a selector have room for at first. */
    private static final int COUNT = 20;
    private static final long DEADLINE_SECONDS = 20;
    private static final int READ = SelectionKey.OP_READ;
    private static final int WRITE = SelectionKey.OP_WRITE;

    private final List<String> errors = new ArrayList<>();
    /** Their sources have a byte in all rounds. */
    private final List<Pipe> pipes = new ArrayList<>();
    private List<StubChannel> stubs;
    private RdmaSelector selector;
    private Set<SelectionKey> selected;

    /** Opens the channels of the JDK. */
    public InjectedSelections() throws IOException {
        for (int i = 0; i < COUNT; i++) {
            Pipe pipe = Pipe.open();
            pipe.source().configureBlocking(false);
            pipe.sink().write(ByteBuffer.allocate(1));
            pipes.add(pipe);
        }
    }

    private static RdmaSelector open() {
        return new RdmaSelector(null, SelectorProvider::provider, 0);
    }

    /** Takes a step; returns null if the Error ends it. */
    private static <T> T take(Callable<T> step) {
        try {
            return step.call();
        } catch (InjectedError e) {
            return null;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private List<SelectableChannel> channels() {
        List<SelectableChannel> all = new ArrayList<>(stubs);
        pipes.forEach(each -> all.add(each.source()));
        return all;
    }

    private void makeStubs() throws IOException {
        stubs = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            StubChannel stub = new StubChannel();
            stub.configureBlocking(false);
            stubs.add(stub);
        }
    }

    /** What may be ended by an Error. */
    private void select() {
        for (SelectableChannel each : channels()) {
            take(() -> each.register(selector, READ));
        }
        take(() -> selector.selectNow());
        stubs.forEach(each -> each.ready(READ));
        take(() -> selector.selectNow());
        selected.clear();
        take(() -> selector.select(key -> {}));
        for (StubChannel each : stubs) {
            SelectionKey key = each.keyFor(selector);
            take(() -> key == null ? null : key.interestOps(READ | WRITE));
        }
        take(() -> selector.selectNow());
        selected.clear();
        for (SelectableChannel each : channels()) {
            SelectionKey key = each.keyFor(selector);
            take(() -> key == null ? null : key.interestOpsAnd(each instanceof StubChannel ? READ : 0));
        }
        stubs.forEach(each -> each.ready(0));
        block(() -> stubs.getLast().ready(READ));
        selected.clear();
        stubs.forEach(each -> each.ready(0));
        block(() -> {
            if (take(() -> selector.wakeup()) == null) {
                selector.wakeup();
            }
        });
        cancel(stubs.getFirst());
        cancel(pipes.getFirst().source());
        take(() -> selector.selectNow());
        closeAnother();
    }

    private void cancel(SelectableChannel channel) {
        SelectionKey key = channel.keyFor(selector);
        if (key != null) {
            key.cancel();
        }
    }

    private void closeAnother() {
        Selector another = take(InjectedSelections::open);
        if (another == null) {
            return;
        }
        StubChannel stub = stubs.getLast();
        Pipe.SourceChannel source = pipes.getLast().source();
        take(() -> stub.register(another, READ));
        take(() -> source.register(another, READ));
        take(() -> {
            another.close();
            return true;
        });
        if (stub.keyFor(another) != null || source.keyFor(another) != null) {
            errors.add("a closed selector has a key");
        }
    }

    /** Ends a selection in another thread, once more if the Error has ended what does so. */
    private void block(Runnable ending) {
        FutureTask<Integer> selection = new FutureTask<>(() -> take(() -> selector.select()));
        Thread thread = Thread.ofPlatform().daemon().start(selection);
        while (!selection.isDone() && !isBlocked(thread)) {
            Thread.onSpinWait();
        }
        ending.run();
        try {
            selection.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            selector.wakeup();
            errors.add("a selection has not ended");
        } catch (InterruptedException | ExecutionException e) {
            errors.add("a selection has thrown " + e.getCause());
        }
    }

    private static boolean isBlocked(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0 && stack[0].isNativeMethod() || thread.getState() == Thread.State.WAITING;
    }

    @Override
    public String apply(int point) {
        errors.clear();
        try {
            makeStubs();
            selector = open();
            selected = selector.selectedKeys();
            ErrorInjector.begin(point);
            try {
                select();
            } finally {
                ErrorInjector.end();
            }
            selector.selectNow();
            checkKeys();
            checkBlocking();
            selector.close();
            checkClosed();
        } catch (IOException | RuntimeException | Error e) {
            errors.add("a step has thrown " + e + " at " + List.of(e.getStackTrace()));
        } finally {
            ErrorInjector.end();
        }
        return String.join("; ", errors);
    }

    /** Checks that each key is found with its operations when all are ready. */
    private void checkKeys() throws IOException {
        for (SelectableChannel each : channels()) {
            SelectionKey key = each.keyFor(selector);
            if (key == null) {
                key = each.register(selector, READ);
            }
            if (each instanceof Pipe.SourceChannel) {
                key.interestOps(READ);
            }
        }
        stubs.forEach(each -> each.ready(READ));
        selected.clear();
        selector.selectNow();
        Set<SelectableChannel> missing = new HashSet<>(channels());
        for (SelectionKey each : selector.selectedKeys()) {
            missing.remove(each.channel());
            if (each.readyOps() != READ) {
                errors.add(each + " is found with the operations " + each.readyOps());
            }
        }
        if (!missing.isEmpty()) {
            errors.add(missing.size() + " keys are not found: " + missing.iterator().next());
        }
        if (selector.keys().size() != 2 * COUNT) {
            errors.add("there are " + selector.keys().size() + " keys");
        }
    }

    /** Checks that a notification and a wakeup end a selection. */
    private void checkBlocking() {
        for (Pipe each : pipes) {
            each.source().keyFor(selector).interestOps(0);
        }
        for (StubChannel each : stubs) {
            selected.clear();
            stubs.forEach(stub -> stub.ready(0));
            block(() -> each.ready(READ));
            if (!selector.selectedKeys().equals(Set.of(each.keyFor(selector)))) {
                errors.add("not one key is found after a notification: " + selector.selectedKeys());
            }
        }
        selected.clear();
        stubs.forEach(stub -> stub.ready(0));
        block(() -> selector.wakeup());
    }

    private void checkClosed() throws IOException {
        for (SelectableChannel each : channels()) {
            if (each.isRegistered()) {
                errors.add(each + " is registered with a closed selector");
            }
        }
        for (StubChannel each : stubs) {
            if (each.keys().interest() != 0) {
                errors.add(each + " has keys of a closed selector");
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Pipe each : pipes) {
            each.source().close();
            each.sink().close();
        }
    }
}
