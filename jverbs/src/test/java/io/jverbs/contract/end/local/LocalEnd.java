package io.jverbs.contract.end.local;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.EndFailure;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.spi.DeviceLayer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/**
 * An end in this JVM, implemented with the public API only. A proxy passes every command to the object that implements
 * its interface, and converts exceptions to values, so that tests see the same failures with local and remote ends.
 */
public final class LocalEnd implements InvocationHandler {

    private final Map<Class<?>, Object> parts = new HashMap<>();
    private final Objects objects;

    private LocalEnd(RdmaContext context, String selector) {
        objects = new Objects(context, selector);
        Requests requests = new Requests(objects);
        add(new LocalDevice(objects));
        add(new LocalMemory(objects));
        LocalQueues queues = new LocalQueues(objects);
        add(queues);
        add(new LocalCm(objects, queues));
        add(new LocalWork(objects, requests));
        add(new LocalEvents(objects));
        add(new LocalControl(objects));
    }

    /** Opens a device by its selector, with layers. */
    public static End open(String selector, DeviceLayer... layers) {
        LocalEnd handler = new LocalEnd(io.jverbs.Verbs.select(selector).open(layers), selector);
        End end = (End) Proxy.newProxyInstance(End.class.getClassLoader(), new Class<?>[] {End.class}, handler);
        handler.add(new LocalJobs(handler.objects, end));
        return end;
    }

    private void add(Object part) {
        for (Class<?> type : part.getClass().getInterfaces()) {
            parts.put(type, part);
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "LocalEnd[" + objects.selector() + "]";
            };
        }
        if (method.getName().equals("close") && method.getParameterCount() == 0) {
            objects.closeAll();
            return null;
        }
        try {
            return method.invoke(parts.get(method.getDeclaringClass()), arguments);
        } catch (InvocationTargetException e) {
            throw failure(e.getCause());
        }
    }

    private static Throwable failure(Throwable cause) {
        RuntimeException failure = switch (cause) {
            case VerbsFailure known -> known;
            case EndFailure known -> known;
            case VerbsException e -> new VerbsFailure(e.operation(), e.errno(), e.getMessage());
            default -> new EndFailure(cause.getClass().getName(), cause.getMessage());
        };
        if (failure != cause) {
            failure.setStackTrace(cause.getStackTrace());
        }
        return failure;
    }
}
