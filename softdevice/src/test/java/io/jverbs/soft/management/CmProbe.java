package io.jverbs.soft.management;

import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.management.communication.CmAgent;
import io.jverbs.soft.management.communication.CmCounters;

/** What tests of other packages read of the connection manager of a port. */
public final class CmProbe {
    private final CmAgent agent;

    /** @param port the port of a software device */
    public CmProbe(SoftPort port) {
        agent = ((ConnectionManager) port.management()).cmAgent();
    }

    /** {@return the counters} */
    public CmCounters counters() {
        return agent.counters();
    }

    /** {@return the number of entries in the tables of connections and lookups} */
    public int size() {
        return agent.call(agent::size);
    }

    /** {@return the number of connections in TIMEWAIT} */
    public int timewaits() {
        return agent.call(agent::timewaitCount);
    }
}
