package io.jverbs.soft.nulls;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MemoryRegion;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.control.CmMessageFaults;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PacketCapture;
import io.jverbs.control.PacketLoss;
import io.jverbs.control.PortControl;
import io.jverbs.control.SimulatedLink;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.Listener;
import io.jverbs.endpoint.MessageHandler;
import io.jverbs.fault.Fault;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.fault.QueuePairFilter;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamBinding;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.rsocket.datagram.RdmaDatagramOptions;
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ServiceLoop;
import io.jverbs.strict.StrictMode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Provides a valid object of each type, as the target or argument of calls. The objects belong to a software device.
 */
final class ValidArguments implements AutoCloseable {
    private final Map<Class<?>, Object> objects = new HashMap<>();
    private final FaultInjection faults = FaultInjection.of();
    private final StrictMode strict = StrictMode.reporting();
    private final RdmaContext context;
    /** The device of the endpoints, which have threads of their own: a virtual clock would not wait for these. */
    private final RdmaContext realTime = Verbs.open("soft:soft91");
    private final RdmaContext addressed = Verbs.open("soft:" + LoopbackAddress.next());
    private final RdmaDatagramSocket datagrams;

    /** @param selector selects a simulated device, which has the capabilities of all software devices */
    ValidArguments(String selector) {
        context = Verbs.select(selector).open(faults, strict);
        ProtectionDomain pd = context.allocatePd();
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCompletionQueue(16);
        MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE | Access.MW_BIND);
        AhAttributes path = AhAttributes.to(context.preferredGid(1).gid(), 1, context.preferredGid(1).index());
        put(RdmaContext.class, context);
        put(RdmaDevice.class, context.device());
        put(ProtectionDomain.class, pd);
        put(CompletionChannel.class, channel);
        put(CompletionQueue.class, cq);
        put(MemoryRegion.class, region);
        put(AhAttributes.class, path);
        put(pd.createAddressHandle(path));
        put(pd.allocateMemoryWindow(MwType.TYPE_1));
        put(MwBind.class, new MwBind(region, region.address(), 8, 0));
        put(pd.createSharedReceiveQueue(SrqInitAttributes.of(16, 1)));
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
        put(qp);
        put(ConnectionInfo.class, qp.localInfo());
        put(SendWorkRequest.class, SendWorkRequest.create(1));
        put(ReceiveWorkRequest.class, ReceiveWorkRequest.create(1));
        put(WorkCompletions.class, WorkCompletions.create(4));
        put(Gid.class, Gid.parse("::ffff:192.0.2.1"));
        put(GidEntry.class, context.preferredGid(1));
        put(VerbsException.class, VerbsException.outOfRange("test", "value", 0, 1, 2));
        CmEventChannel events = CmEventChannel.create(context);
        put(events);
        CmId id = events.createId(PortSpace.UDP);
        id.bind(new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0));
        put(id);
        put(id.options());
        put(id.resources());
        put(SynchronousCmId.create(context, PortSpace.TCP));
        put(ConnectionParameters.DEFAULT);
        putEndpoints();
        putStreams();
        datagrams = datagrams();
        put(datagrams);
        put(RdmaDatagramOptions.DEFAULT);
        putControl();
        putJdkTypes();
    }

    private void putEndpoints() {
        Listener listener = Listener.bind(realTime,
                new InetSocketAddress(realTime.preferredGid(1).gid().toInetAddress(), 0));
        put(listener);
        put(MessageHandler.class, (MessageHandler) (endpoint, message) -> {
            // does nothing
        });
        try {
            Endpoint client = Endpoint.connect(realTime, listener.localAddress());
            Endpoint server = listener.accept();
            put(client);
            put(client.buffer());
            client.request(MemorySegment.ofArray(new byte[1]));
            put(server.receive());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void putStreams() {
        put(RdmaStreamOptions.DEFAULT);
        put(new RdmaSelectorProvider(realTime, "always", RdmaStreamOptions.DEFAULT));
        RdmaStreamListener listener = RdmaStreamListener.bind(realTime,
                new InetSocketAddress(realTime.preferredGid(1).gid().toInetAddress(), 0));
        put(listener);
        put(RdmaStreamBinding.bind(realTime, new InetSocketAddress(listener.localAddress().getAddress(), 0)));
        try {
            RdmaStream stream = RdmaStream.connect(realTime, listener.localAddress());
            put(stream);
            put(stream.iomap());
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private RdmaDatagramSocket datagrams() {
        try {
            return RdmaDatagramSocket.open(addressed);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void putControl() {
        SimulatedNetwork network = context.device().capability(SimulatedNetwork.class).orElseThrow();
        put(SimulatedNetwork.class, network);
        put(SimulatedLink.class, network.links());
        for (Class<?> type : List.of(CmMessageFaults.class, DeviceCounters.class, DeviceRemoval.class,
                PacketCapture.class, PacketLoss.class,
                PortControl.class)) {
            objects.put(type, context.device().capability(type).orElseThrow());
        }
        put(FaultInjection.class, faults);
        put(StrictMode.class, strict);
        put(DeviceLayer.class, strict);
        put(Fault.class, new Fault.Hold());
        put(FaultRule.class, FaultRule.hold());
        put(QueuePairFilter.class, new QueuePairFilter.Any());
    }

    private void putJdkTypes() {
        put(String.class, "text");
        put(Object.class, "object");
        put(Class.class, PortControl.class);
        put(ServiceLoop.class, new ServiceLoop(ValidArguments.class, "test"));
        put(IllegalArgumentException.class, new IllegalArgumentException("test"));
        put(Throwable.class, new IllegalStateException("test"));
        put(Runnable.class, (Runnable) () -> {
            // does nothing
        });
        put(byte[].class, new byte[Gid.BYTES]);
        put(InetAddress.class, InetAddress.getLoopbackAddress());
        put(InetSocketAddress.class, new InetSocketAddress("239.1.2.3", 0));
        put(ByteBuffer.class, ByteBuffer.allocate(8));
        put(MemorySegment.class, Arena.ofAuto().allocate(64));
        put(Duration.class, Duration.ofMillis(1));
        put(CmMessageFaults.Filter.class, (CmMessageFaults.Filter) message -> 0);
        put(IntPredicate.class, (IntPredicate) number -> false);
        put(BooleanSupplier.class, (BooleanSupplier) () -> true);
        put(Consumer.class, (Consumer<Object>) each -> {
            // does nothing
        });
        put(List.class, List.of());
        put(Set.class, Set.of());
        put(Map.class, Map.of());
        put(Optional.class, Optional.empty());
        put(StackTraceElement.class, new StackTraceElement("Class", "method", "Class.java", 1));
    }

    private void put(Object object) {
        objects.put(object.getClass(), object);
    }

    private void put(Class<?> type, Object object) {
        objects.put(type, object);
    }

    /** Returns an object of a type; creates builders, enums, arrays and records that need no specific values. */
    Object of(Class<?> type) throws ReflectiveOperationException {
        Object known = objects.get(type);
        if (known != null) {
            return known;
        }
        if (type.isPrimitive()) {
            // zero, or false
            return Array.get(Array.newInstance(type, 1), 0);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            Object one = Array.newInstance(type.getComponentType(), 1);
            Array.set(one, 0, of(type.getComponentType()));
            return one;
        }
        if (type.getSimpleName().equals("Builder")) {
            return builder(type);
        }
        if (type.isRecord() && type.getDeclaredClasses().length == 0) {
            Constructor<?> canonical = type.getConstructor(Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType).toArray(Class<?>[]::new));
            return canonical.newInstance(all(canonical.getParameterTypes()));
        }
        for (Class<?> nested : type.getDeclaredClasses()) {
            if (nested.getSimpleName().equals("Builder")) {
                return nested.getMethod("build").invoke(of(nested));
            }
        }
        throw new AssertionError("no object of " + type + " is available: add one to ValidArguments");
    }

    private Object builder(Class<?> type) throws ReflectiveOperationException {
        for (var method : type.getDeclaringClass().getMethods()) {
            if (method.getReturnType() == type && Modifier.isStatic(method.getModifiers())) {
                return method.invoke(null, all(method.getParameterTypes()));
            }
        }
        throw new AssertionError("no object of " + type + " is available: add one to ValidArguments");
    }

    Object[] all(Class<?>[] types) throws ReflectiveOperationException {
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = of(types[i]);
        }
        return values;
    }

    @Override
    public void close() {
        datagrams.close();
        addressed.close();
        realTime.close();
        context.close();
    }
}
