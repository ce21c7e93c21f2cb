package io.jverbs.contract.end.local;

import io.jverbs.CompletionQueue;
import io.jverbs.DeviceAttributes;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MemoryRegion;
import io.jverbs.PortAttributes;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.contract.end.DeviceCommands;
import io.jverbs.contract.end.End;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Supplier;

/** Queries, contexts and protection domains, and closing of objects. */
final class LocalDevice implements DeviceCommands {

    private final Objects objects;

    LocalDevice(Objects objects) {
        this.objects = objects;
    }

    @Override
    public String deviceName() {
        return objects.context(End.MAIN).device().name();
    }

    @Override
    public String selector() {
        return objects.selector();
    }

    @Override
    public List<String> deviceNames() {
        return Verbs.devices().stream().map(RdmaDevice::name).toList();
    }

    @Override
    public int openContext() {
        return objects.add(objects.context(End.MAIN).device().open());
    }

    @Override
    public int openManyContexts(int threads, int perThread) {
        RdmaDevice device = objects.context(End.MAIN).device();
        Set<RdmaContext> contexts = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        try {
            Threads.run(threads, thread -> {
                for (int i = 0; i < perThread; i++) {
                    RdmaContext context = device.open();
                    contexts.add(context);
                    context.queryPort(1);
                }
            });
            return contexts.size();
        } finally {
            contexts.forEach(RdmaContext::close);
        }
    }

    @Override
    public DeviceAttributes queryDevice(int context) {
        return objects.context(context).queryDevice();
    }

    @Override
    public PortAttributes queryPort(int context, int port) {
        return objects.context(context).queryPort(port);
    }

    @Override
    public Gid queryGid(int context, int port, int index) {
        return objects.context(context).queryGid(port, index);
    }

    @Override
    public GidEntry queryGidEntry(int context, int port, int index) {
        return objects.context(context).queryGidEntry(port, index);
    }

    @Override
    public List<GidEntry> queryGidTable(int context) {
        return List.copyOf(objects.context(context).queryGidTable());
    }

    @Override
    public GidEntry preferredGid(int context, int port) {
        return objects.context(context).preferredGid(port);
    }

    @Override
    public int queryPkey(int context, int port, int index) {
        return objects.context(context).queryPkey(port, index);
    }

    @Override
    public int pkeyIndex(int context, int port, int pkey) {
        return objects.context(context).pkeyIndex(port, pkey).orElse(End.NONE);
    }

    @Override
    public int allocatePd(int context) {
        return objects.add(objects.context(context).allocatePd());
    }

    @Override
    public void destroy(int id) {
        try {
            objects.get(id, AutoCloseable.class).close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean isClosed(int id) {
        Object object = objects.get(id, Object.class);
        return switch (object) {
            case RdmaContext context -> context.isClosed();
            case MemoryRegion region -> region.isClosed();
            default -> throw new IllegalArgumentException(object + " has no isClosed method");
        };
    }

    @Override
    public String describe(int id) {
        return objects.get(id, Object.class).toString();
    }

    @Override
    public String describeAll() {
        StringJoiner all = new StringJoiner("\n");
        for (QueuePair qp : objects.all(QueuePair.class)) {
            all.add(describe(qp, qp::query));
        }
        for (CompletionQueue cq : objects.all(CompletionQueue.class)) {
            all.add(describe(cq, () -> Completions.poll(cq, WorkCompletions.create(64), 64)));
        }
        return all.toString();
    }

    private static String describe(Object object, Supplier<?> what) {
        try {
            return object + ": " + what.get();
        } catch (RuntimeException e) {
            return object + ": " + e;
        }
    }
}
