package io.jverbs.soft.injection;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.control.DeviceCounters;
import io.jverbs.injection.CreatedObjects;
import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A scenario that connects two CM IDs of a device, or looks up a queue pair for datagrams, disconnects and closes
 * everything, while an Error is thrown at one injection point. It checks that all objects that exist afterwards can be
 * closed, that the device has as many objects as before, and that another connection is established then. The test
 * loads this class with a class loader of its own, together with the classes of the device.
 */
public final class InjectedConnections implements IntFunction<String>, AutoCloseable {
    private static final Duration STEP = Duration.ofSeconds(5);
    /** The number of times that the channel is asked for events; an Error can end a delivery, which is repeated. */
    private static final int LOOKS = 40;

    private final RdmaDevice device;
    private final PortSpace space;
    private final RdmaContext keepAlive;
    private final List<String> errors = new ArrayList<>();

    /** Opens a device. */
    public InjectedConnections(String selector, String space) {
        this.device = Verbs.select(selector);
        this.space = PortSpace.valueOf(space);
        keepAlive = device.open();
    }

    /** The IDs of a round, and the events that they have got. */
    private final class Round {
        private final CreatedObjects created = new CreatedObjects(errors);
        private final Map<CmEventType, Integer> events = new EnumMap<>(CmEventType.class);
        private final List<String> failures = new ArrayList<>();
        private ProtectionDomain pd;
        private QpInitAttributes attributes;
        private CmEventChannel channel;
        private final int established;

        /** @param established the number of ESTABLISHED to wait for; 0 for the events that are there at once */
        Round(int established) {
            this.established = established;
        }

        int count(CmEventType type) {
            return events.getOrDefault(type, 0);
        }

        /** Connects and disconnects; what depends on a step that has failed is left out. */
        void connect() {
            RdmaContext context = created.create(device::open);
            pd = context == null ? null : created.create(context::allocatePd);
            CompletionQueue cq = pd == null ? null : created.create(() -> context.createCompletionQueue(16));
            channel = cq == null ? null : created.create(() -> CmEventChannel.create(context));
            if (channel == null) {
                return;
            }
            attributes = QpInitAttributes.builder(space == PortSpace.UDP ? QpType.UD : QpType.RC).cq(cq).build();
            CmId listener = created.create(() -> channel.createId(space));
            CmId active = created.create(() -> channel.createId(space));
            if (listener == null || active == null) {
                return;
            }
            InetSocketAddress any = new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
            CreatedObjects.attempt(() -> listener.bind(any));
            CreatedObjects.attempt(() -> listener.listen(4));
            CreatedObjects.attempt(() -> active.resolveAddress(listener.localAddress(), STEP));
            handleEvents();
            CreatedObjects.attempt(active::disconnect);
            handleEvents();
        }

        private void handleEvents() {
            long deadline = System.nanoTime() + STEP.toNanos();
            // the thread of the timers may deliver an event meanwhile, for a connection of an earlier round
            for (int look = 0; look < LOOKS || count(CmEventType.ESTABLISHED) < established
                    && System.nanoTime() - deadline < 0; look++) {
                CreatedObjects.attempt(this::handleNext);
            }
        }

        private void handleNext() {
            CmEvent event;
            try {
                event = channel.awaitEvent(Duration.ZERO);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (event == null) {
                return;
            }
            boolean isAcknowledged = false;
            while (!isAcknowledged) {
                try {
                    // before the step, which may close the ID
                    event.acknowledge();
                    isAcknowledged = true;
                } catch (InjectedError e) {
                    // once more
                }
            }
            events.merge(event.type(), 1, Integer::sum);
            if (event.status() != 0) {
                failures.add(event.toString() + ' ' + event.explanation());
            }
            step(event.type(), event.id());
        }

        private void step(CmEventType type, CmId id) {
            switch (type) {
                case ADDR_RESOLVED -> id.resolveRoute(STEP);
                case ROUTE_RESOLVED -> {
                    id.createQueuePair(pd, attributes);
                    id.connect(ConnectionParameters.DEFAULT);
                }
                case CONNECT_REQUEST -> {
                    created.create(() -> id);
                    id.createQueuePair(pd, attributes);
                    id.accept(ConnectionParameters.DEFAULT);
                }
                default -> {
                    // the end of a step
                }
            }
        }
    }

    /**
     * Runs one round with an Error at an injection point, or without one if the number is negative. Returns a
     * description of the violated conditions, or an empty string.
     */
    @Override
    public String apply(int point) {
        errors.clear();
        Map<String, Long> before = counts();
        Round injected = new Round(0);
        ErrorInjector.begin(point);
        try {
            injected.connect();
            // the Error may also be thrown during close
            injected.created.close();
        } finally {
            ErrorInjector.end();
        }
        injected.created.closeAgain(List.of());
        check(before);
        int ends = space == PortSpace.UDP ? 1 : 2;
        Round healthy = new Round(ends);
        healthy.connect();
        if (healthy.count(CmEventType.ESTABLISHED) != ends) {
            errors.add("another connection had the events " + healthy.events + ", failed: " + healthy.failures);
        }
        healthy.created.close();
        check(before);
        return String.join("; ", errors);
    }

    private void check(Map<String, Long> before) {
        Map<String, Long> after = counts();
        if (!before.equals(after)) {
            errors.add("the device had the objects " + before + " and now has " + after);
        }
    }

    private Map<String, Long> counts() {
        return device.capability(DeviceCounters.class).orElseThrow().resources();
    }

    @Override
    public void close() {
        keepAlive.close();
    }
}
