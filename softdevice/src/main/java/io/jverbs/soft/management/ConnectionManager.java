package io.jverbs.soft.management;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.control.CmIdSnapshot;
import io.jverbs.control.CmMessageFaults;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.ManagementReceiver;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.management.communication.CmAgent;
import io.jverbs.soft.management.communication.CmCounters;
import io.jverbs.soft.management.communication.CmDurations;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.spi.CmChannelOps;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The connection manager of one device, which is a host of its own: its ports are not those of other devices. It is
 * created with the device, its {@link CmAgent} when a program or a peer first uses it. Thread-safe.
 */
public final class ConnectionManager implements ManagementReceiver, CmPort {
    private final Fabric fabric;
    private final SoftPort port;
    private final CmDurations durations;
    private final CmMessageFilters messageFilters;
    private volatile Agent agent;

    /** What exists once the connection manager is used. */
    private record Agent(CmDevice device, GeneralServices services, long caGuid) {}

    /**
     * Creates the connection manager of a device.
     *
     * @param fabric the fabric of the device
     * @param port the port of the device
     * @throws IllegalArgumentException if the system property for the times has a wrong value
     */
    public ConnectionManager(Fabric fabric, SoftPort port) {
        this.fabric = fabric;
        this.port = port;
        this.durations = CmDurations.configured();
        this.messageFilters = new CmMessageFilters(port, fabric.network().timers());
    }

    private Agent agent() {
        Agent present = agent;
        return present == null ? createAgent() : present;
    }

    private synchronized Agent createAgent() {
        if (agent == null) {
            RandomGenerator random = fabric.random();
            // unique in each process, because it distinguishes the connections of peers
            long caGuid = random.nextLong(1, Long.MAX_VALUE);
            GeneralServices services = new GeneralServices(fabric, port,
                    (mad, path) -> messageFilters.pass(agent().device.agent(), mad, path));
            CmAgent made = new CmAgent(fabric.name(), fabric.network().deferredQueue(), caGuid, services,
                    fabric.network().timers(), durations, random);
            agent = new Agent(new CmDevice(made, this, random), services, caGuid);
        }
        return agent;
    }

    /** {@return a new event channel} */
    public CmChannelOps createChannel() {
        return new SoftCmChannel(agent().device, fabric.eventWait());
    }

    /** {@return what loses or delays the messages that arrive} */
    public CmMessageFaults messageFaults() {
        return messageFilters;
    }

    /** Tells the programs of all CM IDs that the device was removed. Can be repeated after an Error. */
    public void deviceRemoved() {
        Agent present = agent;
        if (present != null) {
            present.device.agent().run(present.device::deviceRemoved);
        }
    }

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        agent().services.receive(packet, addresses);
    }

    @Override
    public void receive(byte[] datagram, Gid source, Gid destination) {
        agent().services.receive(datagram, source, destination);
    }

    @Override
    public Traffic traffic() {
        Agent present = agent;
        return present == null ? Traffic.NONE : present.services.traffic();
    }

    @Override
    public Map<String, Long> counters() {
        Agent present = agent;
        return (present == null ? new CmCounters() : present.device.agent().counters()).byName();
    }

    @Override
    public List<CmIdSnapshot> cmIds() {
        Agent present = agent;
        return present == null ? List.of() : present.device.agent().call(present.device::snapshots);
    }

    /** Returns the agent, for tests. */
    CmAgent cmAgent() {
        return agent().device.agent();
    }

    @Override
    public String device() {
        return fabric.name();
    }

    @Override
    public long caGuid() {
        return agent().caGuid;
    }

    @Override
    public int number() {
        return SoftPort.NUMBER;
    }

    @Override
    public Gid preferredGid() {
        return fabric.gid();
    }

    @Override
    public int gidIndex(Gid gid) {
        for (int i = 0; i < SoftPort.GIDS; i++) {
            if (gid.equals(port.gid(i))) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean reaches(Gid source, Gid destination) {
        boolean local = fabric.peers() == fabric.network()
                && (destination.isMulticast() || fabric.network().port(destination) != null);
        return local || fabric.wire().route(source, destination) != null;
    }

    @Override
    public Mtu pathMtu() {
        return port.activeMtu();
    }
}
