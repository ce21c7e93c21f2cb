package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A device whose objects can only be created and destroyed. It records the objects that exist, and can run an action
 * before or after a verb is carried out, which may throw. Further verbs return what the test gives.
 */
final class CountingDevice implements ProviderDevice {
    private static final String ATTACH = "attachMulticast";
    private static final Set<String> DESTRUCTIONS = Set.of("deallocatePd", "deregisterMemory", "deallocateMw",
            "destroyChannel", "destroyCq", "destroyQp", "destroySrq", "destroyAh");
    private static final QpCapabilities CAPABILITIES = new QpCapabilities(1, 1, 1, 1, 0);

    private final Map<Handle, String> open = new ConcurrentHashMap<>();
    private final Set<Handle> attached = ConcurrentHashMap.newKeySet();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Map<String, Runnable> before = new ConcurrentHashMap<>();
    private final Map<String, Runnable> after = new ConcurrentHashMap<>();
    private final Map<String, Object> results = new ConcurrentHashMap<>();

    /** Runs an action once, before a verb is carried out. */
    void before(String verb, Runnable action) {
        before.put(verb, action);
    }

    /** Runs an action once, after a verb was carried out. */
    void after(String verb, Runnable action) {
        after.put(verb, action);
    }

    /** Makes a verb return an object each time. The device does not record it. */
    void returns(String verb, Object result) {
        results.put(verb, result);
    }

    /** Returns the kinds of the objects that exist, sorted. */
    List<String> objects() {
        return open.values().stream().sorted().toList();
    }

    /** Returns the verbs that were carried out. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public long nodeGuid() {
        return 0;
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public ContextOps open() {
        return (ContextOps) Proxy.newProxyInstance(CountingDevice.class.getClassLoader(),
                new Class<?>[] {ContextOps.class}, (proxy, method, arguments) -> call(method, arguments));
    }

    private Object call(Method method, Object... arguments) {
        String verb = method.getName();
        run(before.remove(verb));
        Object result = perform(method, arguments);
        calls.add(verb);
        run(after.remove(verb));
        return result;
    }

    private static void run(Runnable action) {
        if (action != null) {
            action.run();
        }
    }

    private Object perform(Method method, Object... arguments) {
        String verb = method.getName();
        Object result = results.get(verb);
        if (result != null) {
            return result;
        }
        Class<?> type = method.getReturnType();
        if (DESTRUCTIONS.contains(verb)) {
            destroy(verb, (Handle) arguments[0]);
            return type == void.class ? null : ContextOps.EventsReported.NONE;
        }
        if (Handle.class.isAssignableFrom(type)) {
            return create(type);
        }
        if (verb.equals(ATTACH)) {
            attached.add((Handle) arguments[0]);
        } else if (verb.equals("detachMulticast")) {
            attached.remove((Handle) arguments[0]);
        }
        return type == SrqAttributes.class ? new SrqAttributes(1, 1, 0) : null;
    }

    private void destroy(String verb, Handle handle) {
        if (attached.contains(handle)) {
            throw new VerbsException(verb, Errno.EBUSY, "the queue pair is attached to a multicast group");
        }
        if (handle == null || open.remove(handle) == null) {
            throw new AssertionError(verb + " for an object that does not exist");
        }
    }

    private Handle create(Class<?> type) {
        Handle handle = (Handle) Proxy.newProxyInstance(CountingDevice.class.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "capabilities" -> CAPABILITIES;
                    case "addressOf" -> ((MemorySegment) arguments[0]).address();
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "toString" -> type.getSimpleName();
                    default -> 1;
                });
        open.put(handle, type.getSimpleName());
        return handle;
    }
}
