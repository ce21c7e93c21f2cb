package io.jverbs.soft.management;

import io.jverbs.control.CmMessage;
import io.jverbs.control.CmMessageFaults;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.management.communication.CmAgent;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Loses or delays messages that arrive at a device, if filters of programs say so. Thread-safe. */
final class CmMessageFilters implements CmMessageFaults {
    private static final CmMessage[] MESSAGES = CmMessage.values();

    private final SoftPort port;
    private final Timers timers;
    /** The filters as often as they were added; guarded by this object. */
    private final List<Filter> added = new ArrayList<>();
    private volatile Set<Filter> filters = Set.of();

    CmMessageFilters(SoftPort port, Timers timers) {
        this.port = port;
        this.timers = timers;
    }

    @Override
    public synchronized void add(Filter filter) {
        added.add(Objects.requireNonNull(filter, "filter"));
        filters = new LinkedHashSet<>(added);
    }

    @Override
    public synchronized void remove(Filter filter) {
        added.remove(Objects.requireNonNull(filter, "filter"));
        filters = new LinkedHashSet<>(added);
    }

    /** Passes a message to the agent of the device, now or later, unless it is lost. */
    void pass(CmAgent agent, ManagementDatagram mad, CmPath path) {
        Set<Filter> present = filters;
        CmMessage message = present.isEmpty() ? null : message(mad);
        long delay = 0;
        if (message != null) {
            for (Filter each : present) {
                long wanted = each.delayNanos(message);
                delay = wanted < 0 || delay < 0 ? LOSE : Math.max(delay, wanted);
            }
        }
        if (delay < 0) {
            port.count(Counter.LOST);
        } else if (delay == 0) {
            agent.receive(mad, path);
        } else {
            timers.set(delay, () -> {
                agent.receive(mad, path);
                agent.deferredQueue().run();
            });
        }
    }

    /** Returns the kind of a message; null if it is not one of the connection manager. */
    private static CmMessage message(ManagementDatagram mad) {
        if (mad.refusal() == null) {
            for (CmMessage each : MESSAGES) {
                if (each.code() == mad.attributeId()) {
                    return each;
                }
            }
        }
        return null;
    }
}
