package io.jverbs.soft.injection;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
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
import io.jverbs.Reregistration;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.PacketCapture;
import io.jverbs.injection.CreatedObjects;
import io.jverbs.injection.ErrorInjector;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * A scenario that opens a context, and creates, uses and closes objects of each type, while an Error is thrown at one
 * injection point. It checks that all objects that exist afterwards can be closed, and that the device then has as many
 * objects as before, and the process as many open files. The test loads this class with a class loader of its own,
 * together with the classes of the device.
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
    private final OpenFiles files = new OpenFiles();
    /** The queue pair that is attached to a group; null if there is none. */
    private QueuePair datagram;
    /** The file into which packets are captured; null if none are. */
    private final Path captureFile;

    /**
     * Opens a device.
     *
     * @param layer what is before the device, see {@link InjectedTraffic#layers}
     * @param closesContextOnly whether the Error is thrown while the context is closed with all objects open, instead
     *        of while they are created and closed
     * @param watched {@link Watch#CAPTURE} if the scenario also starts a capture
     */
    public InjectedControl(String selector, String layer, boolean closesContextOnly, String watched)
            throws IOException {
        this.device = Verbs.select(selector);
        this.layer = layer;
        this.closesContextOnly = closesContextOnly;
        keepAlive = device.open();
        captureFile = watched.equals(Watch.CAPTURE) ? Files.createTempFile("injected", ".pcapng") : null;
    }

    private RdmaContext open() {
        return device.open(InjectedTraffic.layers(layer));
    }

    private PacketCapture capture() {
        return device.capability(PacketCapture.class).orElseThrow();
    }

    /**
     * Runs one round with an Error at an injection point, or without one if the number is negative. Returns a
     * description of the violated conditions, or an empty string.
     */
    @Override
    public String apply(int point) {
        errors.clear();
        Map<String, Long> before = counts();
        files.before();
        CreatedObjects created = new CreatedObjects(errors);
        if (closesContextOnly) {
            closeContext(point, created);
        } else {
            createAndClose(point, created);
        }
        if (capture().running().isPresent()) {
            errors.add("the device is still being captured");
            capture().running().get().close();
        }
        files.check(errors);
        Map<String, Long> after = counts();
        if (!before.equals(after)) {
            errors.add("the device had the objects " + before + " and now has " + after);
        }
        return String.join("; ", errors);
    }

    private void closeContext(int point, CreatedObjects created) {
        RdmaContext context = open();
        createAll(context, created);
        ErrorInjector.begin(point);
        try {
            CreatedObjects.attempt(context::close);
        } finally {
            ErrorInjector.end();
        }
        try {
            context.close();
        } catch (RuntimeException | Error e) {
            errors.add("closing the context: " + e);
        }
    }

    private void createAndClose(int point, CreatedObjects created) {
        datagram = null;
        ErrorInjector.begin(point);
        try {
            RdmaContext context = created.create(this::open);
            if (context != null) {
                createAll(context, created);
            }
            // the Error may also be thrown during close
            created.close();
        } finally {
            ErrorInjector.end();
        }
        created.closeAgain(datagram == null || datagram.isClosed()
                ? List.of()
                : List.of(() -> datagram.detachMulticast(GROUP, 0)));
    }

    private Map<String, Long> counts() {
        return device.capability(DeviceCounters.class).orElseThrow().resources();
    }

    private void createAll(RdmaContext context, CreatedObjects created) {
        ProtectionDomain pd = created.create(context::allocatePd);
        CompletionChannel channel = created.create(context::createCompletionChannel);
        if (pd == null || channel == null) {
            return;
        }
        if (captureFile != null) {
            created.create(() -> capture().start(captureFile + "?buffer=1"));
        }
        CompletionQueue cq = created.create(() -> context.createCompletionQueue(16, channel));
        MemoryRegion bound = created
                .create(() -> pd.registerMemory(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.MW_BIND));
        MemoryRegion owned = created.create(() -> pd.allocate(4096, Access.LOCAL_WRITE));
        MemoryWindow window = created.create(() -> pd.allocateMemoryWindow(MwType.TYPE_1));
        MemoryWindow second = created.create(() -> pd.allocateMemoryWindow(MwType.TYPE_2));
        SharedReceiveQueue srq = created.create(() -> pd.createSharedReceiveQueue(SrqInitAttributes.of(16, 1)));
        AddressHandle ah = created.create(() -> pd.createAddressHandle(
                AhAttributes.to(context.preferredGid(1).gid(), 1, context.preferredGid(1).index())));
        if (Stream.<Object>of(cq, srq, owned, bound, window, second, ah).anyMatch(Objects::isNull)) {
            return;
        }
        CreatedObjects.attempt(() -> owned.reregister(Reregistration.builder().access(0).build()));
        CreatedObjects.attempt(() -> owned.reregister(Reregistration.builder().translation(memory).build()));
        CreatedObjects.attempt(() -> srq.modify(SrqModification.of(32, 4)));
        for (QpType type : List.of(QpType.RC, QpType.UD)) {
            QpInitAttributes.Builder init = QpInitAttributes.builder(type).cq(cq);
            QueuePair qp = created.create(() -> pd.createQueuePair(init.build()));
            created.create(() -> pd.createQueuePair(init.srq(srq).build()));
            if (qp != null && type == QpType.RC) {
                CreatedObjects.attempt(() -> qp.connect(qp.localInfo()));
                useWindows(qp, bound, window, second);
                CreatedObjects.attempt(() -> qp.modify(QpAttributes.builder().state(QpState.SQD).build()));
                CreatedObjects.attempt(() -> qp.modify(QpAttributes.builder().state(QpState.RTS).build()));
                CreatedObjects.attempt(() -> qp.modify(QpAttributes.builder().state(QpState.ERR).build()));
                CreatedObjects.attempt(() -> qp.modify(QpAttributes.builder().state(QpState.RESET).build()));
            } else if (qp != null) {
                datagram = qp;
                CreatedObjects.attempt(() -> qp.attachMulticast(GROUP, 0));
                if (!closesContextOnly) {
                    CreatedObjects.attempt(() -> qp.detachMulticast(GROUP, 0));
                }
            }
        }
        QueuePair failing = created
                .create(() -> pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build()));
        if (failing != null && layer != null) {
            CreatedObjects.attempt(() -> failing.connect(failing.localInfo()));
            // with a rule for completions, the queue pair has an injected error when it is closed
            CreatedObjects.attempt(() -> sendToItself(failing));
        }
        CreatedObjects.attempt(() -> cq.resize(64));
    }

    /** Binds windows; that of type 1 stays bound, so that closing it ends the binding. */
    private static void useWindows(QueuePair qp, MemoryRegion bound, MemoryWindow first, MemoryWindow second) {
        CreatedObjects.attempt(() -> qp.bindMemoryWindow(first, 1, 0, all(bound)));
        CreatedObjects.attempt(() -> qp.tryPostSend(SendWorkRequest.create(1).wrId(2).bind(second,
                MemoryWindow.incrementRkey(second.rkey()), all(bound))));
        CreatedObjects.attempt(() -> qp.tryPostSend(SendWorkRequest.create(1).wrId(3).opcode(WrOpcode.LOCAL_INV)
                .invalidateRkey(second.rkey())));
        // ended by RESET
        CreatedObjects.attempt(() -> qp.tryPostSend(SendWorkRequest.create(1).wrId(4).bind(second,
                MemoryWindow.incrementRkey(second.rkey()), all(bound))));
        CreatedObjects.attempt(() -> bound.reregister(Reregistration.builder().access(0).build()));
    }

    private static MwBind all(MemoryRegion bound) {
        return new MwBind(bound, bound.address(), bound.length(), Access.REMOTE_WRITE);
    }

    private static void sendToItself(QueuePair qp) {
        qp.postReceive(ReceiveWorkRequest.create(0));
        qp.postSend(SendWorkRequest.create(0).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED));
        qp.sendCq().poll(WorkCompletions.create(4));
    }

    @Override
    public void close() throws IOException {
        keepAlive.close();
        arena.close();
        if (captureFile != null) {
            Files.delete(captureFile);
        }
    }
}
