package io.jverbs.soft.injection;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.injection.ErrorInjector.InjectedError;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A scenario that creates, uses and closes objects of each type while an Error is thrown at one injection point. It
 * checks that all objects that exist afterwards can be closed, and that the device then has as many objects as before.
 * The test loads this class with a class loader of its own, together with the classes of the device.
 */
public final class InjectedControl implements IntFunction<String>, AutoCloseable {
    private static final Gid GROUP = Gid.parse("::ffff:239.1.2.3");

    private final RdmaDevice device;
    private final String layer;
    private final boolean closesContextOnly;
    /** Keeps the device open between rounds. */
    private final RdmaContext keepAlive;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(4096, 8);
    private final List<String> errors = new ArrayList<>();

    /**
     * Opens a device.
     *
     * @param layer what is before the device, see {@link InjectedTraffic#layers}
     * @param closesContextOnly whether the Error is thrown while the context is closed with all objects open, instead
     *        of while they are created and closed
     */
    public InjectedControl(String selector, String layer, boolean closesContextOnly) {
        this.device = Verbs.select(selector);
        this.layer = layer;
        this.closesContextOnly = closesContextOnly;
        keepAlive = device.open();
    }

    /**
     * Runs one round with an Error at an injection point, or without one if the number is negative. Returns a
     * description of the violated conditions, or an empty string.
     */
    @Override
    public String apply(int point) {
        errors.clear();
        Map<String, Long> before = counts();
        RdmaContext context = device.open(InjectedTraffic.layers(layer));
        List<AutoCloseable> created = new ArrayList<>();
        if (closesContextOnly) {
            createAll(context, created);
        }
        if (point < 0) {
            ErrorInjector.record(true);
        } else {
            ErrorInjector.arm(point);
        }
        try {
            if (closesContextOnly) {
                attempt(context::close);
            } else {
                createAll(context, created);
                // the Error may also be thrown during close
                closeAll(created);
            }
        } finally {
            ErrorInjector.record(false);
            ErrorInjector.disarm();
        }
        if (!closesContextOnly) {
            closeAllAgain(created);
        }
        try {
            context.close();
        } catch (RuntimeException | Error e) {
            errors.add("closing the context: " + e);
        }
        Map<String, Long> after = counts();
        if (!before.equals(after)) {
            errors.add("the device had the objects " + before + " and now has " + after);
        }
        return String.join("; ", errors);
    }

    private void closeAll(List<AutoCloseable> created) {
        for (AutoCloseable each : created.reversed()) {
            try {
                each.close();
            } catch (InjectedError | VerbsException e) {
                // closed again afterwards, with the objects that depend on it
            } catch (Exception e) {
                errors.add("closing " + each + ": " + e);
            }
        }
    }

    private void closeAllAgain(List<AutoCloseable> created) {
        for (AutoCloseable each : created.reversed()) {
            try {
                if (each instanceof QueuePair qp && qp.type() == QpType.UD && !qp.isClosed()) {
                    attempt(() -> qp.detachMulticast(GROUP, 0));
                }
                each.close();
            } catch (Exception e) {
                errors.add("closing " + each + " again: " + e);
            }
        }
    }

    private Map<String, Long> counts() {
        return device.capability(DeviceCounters.class).orElseThrow().resources();
    }

    private void createAll(RdmaContext context, List<AutoCloseable> created) {
        ProtectionDomain pd = create(created, context::allocatePd);
        CompletionChannel channel = create(created, context::createCompletionChannel);
        if (pd == null || channel == null) {
            return;
        }
        CompletionQueue cq = create(created, () -> context.createCompletionQueue(16, channel));
        create(created, () -> pd.registerMemory(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.MW_BIND));
        MemoryRegion owned = create(created, () -> pd.allocate(4096, Access.LOCAL_WRITE));
        MemoryWindow window = create(created, () -> pd.allocateMemoryWindow(MwType.TYPE_1));
        SharedReceiveQueue srq = create(created, () -> pd.createSharedReceiveQueue(SrqInitAttributes.of(16, 1)));
        AddressHandle ah = create(created, () -> pd.createAddressHandle(
                AhAttributes.to(context.preferredGid(1).gid(), 1, context.preferredGid(1).index())));
        if (cq == null || srq == null || owned == null || window == null || ah == null) {
            return;
        }
        for (QpType type : List.of(QpType.RC, QpType.UD)) {
            QpInitAttributes.Builder init = QpInitAttributes.builder(type).cq(cq);
            QueuePair qp = create(created, () -> pd.createQueuePair(init.build()));
            create(created, () -> pd.createQueuePair(init.srq(srq).build()));
            if (qp != null && type == QpType.RC) {
                attempt(() -> qp.connect(qp.localInfo()));
                attempt(() -> qp.modify(QpAttributes.builder().state(QpState.ERR).build()));
                attempt(() -> qp.modify(QpAttributes.builder().state(QpState.RESET).build()));
            } else if (qp != null) {
                attempt(() -> qp.attachMulticast(GROUP, 0));
                if (!closesContextOnly) {
                    attempt(() -> qp.detachMulticast(GROUP, 0));
                }
            }
        }
        QueuePair failing = create(created,
                () -> pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build()));
        if (failing != null && layer != null) {
            attempt(() -> failing.connect(failing.localInfo()));
            // with a rule for completions, the queue pair has an injected error when it is closed
            attempt(() -> sendToItself(failing));
        }
        attempt(() -> cq.resize(64));
    }

    private static void sendToItself(QueuePair qp) {
        qp.postReceive(ReceiveWorkRequest.create(0));
        qp.postSend(SendWorkRequest.create(0).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED));
        qp.sendCq().poll(WorkCompletions.create(4));
    }

    private static <T extends AutoCloseable> T create(List<AutoCloseable> created, Supplier<T> constructor) {
        try {
            T object = constructor.get();
            created.add(object);
            return object;
        } catch (InjectedError e) {
            return null;
        }
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (InjectedError | VerbsException e) {
            // the change may have been made or not, and the queue pair may be in ERR
        }
    }

    @Override
    public void close() {
        keepAlive.close();
        arena.close();
    }
}
