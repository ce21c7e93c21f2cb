package io.jverbs.contract.end.local;

import io.jverbs.AddressHandle;
import io.jverbs.AsyncEvent;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.ProtectionDomain;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.contract.end.End;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** The objects of an end by id, and the actions to undo when the end is closed. */
final class Objects {

    /** The order of closing: children before parents. */
    private static final List<Class<? extends AutoCloseable>> ORDER = List.of(CmEvent.class, CmId.class,
            CmEventChannel.class, MemoryWindow.class, QueuePair.class,
            AddressHandle.class, MemoryRegion.class, SharedReceiveQueue.class, CompletionQueue.class,
            CompletionChannel.class, ProtectionDomain.class, RdmaContext.class, Memory.class);

    private final String selector;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<Integer, Object> byId = new ConcurrentHashMap<>();
    private final Map<Object, Integer> ids = new IdentityHashMap<>();
    private final Map<Integer, AtomicInteger> unacknowledged = new ConcurrentHashMap<>();
    private final Map<Integer, AsyncEvent> events = new ConcurrentHashMap<>();
    private final Deque<Runnable> undo = new ArrayDeque<>();

    Objects(RdmaContext main, String selector) {
        this.selector = selector;
        add(main);
    }

    String selector() {
        return selector;
    }

    int add(Object object) {
        int id = next.getAndIncrement();
        put(id, object);
        return id;
    }

    /** Creates an object that has its own id as user context. */
    int create(IntFunction<Object> factory) {
        int id = next.getAndIncrement();
        put(id, factory.apply(id));
        return id;
    }

    private void put(int id, Object object) {
        synchronized (ids) {
            ids.put(object, id);
        }
        byId.put(id, object);
    }

    /**
     * Returns the id of an object of this end, NONE for null, or -2 for an unknown object (of an event of another
     * context's object).
     */
    int idOf(Object object) {
        if (object == null) {
            return End.NONE;
        }
        synchronized (ids) {
            return ids.getOrDefault(object, -2);
        }
    }

    <T> T get(int id, Class<T> type) {
        Object object = byId.get(id);
        if (!type.isInstance(object)) {
            throw new IllegalArgumentException("object " + id + " of this end is "
                    + (object == null ? "unknown" : "a " + object.getClass().getSimpleName()) + ", not a "
                    + type.getSimpleName());
        }
        return type.cast(object);
    }

    <T> T orNull(int id, Class<T> type) {
        return id == End.NONE ? null : get(id, type);
    }

    RdmaContext context(int id) {
        return get(id, RdmaContext.class);
    }

    ProtectionDomain pd(int id) {
        return get(id, ProtectionDomain.class);
    }

    Memory memory(int id) {
        return get(id, Memory.class);
    }

    MemoryRegion mr(int id) {
        return get(id, MemoryRegion.class);
    }

    CompletionQueue cq(int id) {
        return get(id, CompletionQueue.class);
    }

    QueuePair qp(int id) {
        return get(id, QueuePair.class);
    }

    SharedReceiveQueue srq(int id) {
        return get(id, SharedReceiveQueue.class);
    }

    /**
     * Records a delivered completion event, so that events that a test did not acknowledge are acknowledged on close.
     */
    void delivered(int cq) {
        unacknowledged.computeIfAbsent(cq, id -> new AtomicInteger()).incrementAndGet();
    }

    void acknowledged(int cq, int count) {
        unacknowledged.computeIfAbsent(cq, id -> new AtomicInteger()).addAndGet(-count);
    }

    int addEvent(AsyncEvent event) {
        int id = next.getAndIncrement();
        events.put(id, event);
        return id;
    }

    AsyncEvent event(int id) {
        AsyncEvent event = events.get(id);
        if (event == null) {
            throw new IllegalArgumentException("event " + id + " of this end is unknown");
        }
        return event;
    }

    /** Returns all objects of a type, ordered by id. */
    <T> List<T> all(Class<T> type) {
        return byId.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(Map.Entry::getValue)
                .filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * Registers an action that runs when the end is closed, before any object is closed. The last registered action
     * runs first.
     */
    void undoLater(Runnable action) {
        synchronized (undo) {
            undo.push(action);
        }
    }

    void closeAll() {
        List<Throwable> problems = new ArrayList<>();
        synchronized (undo) {
            undo.forEach(action -> attempt(problems, action::run));
            undo.clear();
        }
        unacknowledged.forEach((cq, count) -> {
            int left = count.getAndSet(0);
            if (left > 0 && byId.get(cq) instanceof CompletionQueue queue) {
                attempt(problems, () -> queue.acknowledgeEvents(left));
            }
        });
        events.values().forEach(event -> attempt(problems, event::acknowledge));
        for (Class<? extends AutoCloseable> type : ORDER) {
            for (Object object : byId.values()) {
                if (type.isInstance(object)) {
                    attempt(problems, type.cast(object)::close);
                }
            }
        }
        for (Object object : byId.values()) {
            if (object instanceof RdmaContext context && !context.isClosed()) {
                problems.add(new IllegalStateException(context + " is open after close"));
            }
        }
        byId.clear();
        if (!problems.isEmpty()) {
            IllegalStateException failure = new IllegalStateException(
                    "the end did not close cleanly: " + problems);
            problems.forEach(failure::addSuppressed);
            throw failure;
        }
    }

    private interface CloseAction {
        void run() throws Exception;
    }

    private static void attempt(List<Throwable> problems, CloseAction action) {
        try {
            action.run();
        } catch (Exception e) {
            problems.add(e);
        }
    }
}
