package io.jverbs.samples.tour.operation;

import io.jverbs.AddressHandle;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import java.time.Duration;
import java.util.List;

/** SEND of a datagram to a multicast group: each queue pair that is attached to the group receives one copy. */
public final class MulticastOperation implements Operation {
    /** The destination queue pair number of multicast packets. */
    private static final int MULTICAST_QPN = 0xFF_FFFF;
    /** A group with local scope (RFC 2365), and a transient group with link-local scope (RFC 4291). */
    private static final Gid IPV4_GROUP = Gid.parse("239.255.74.86");
    private static final Gid IPV6_GROUP = Gid.parse("ff12::4a56");
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);

    private final DatagramQueuePair sender;
    private final List<GroupMember> members;
    private final NetworkFaults faults;
    private final AddressHandle path;
    private final Buffer source;
    private final SendWorkRequest send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED);
    private boolean probed;
    private long wrId;
    private int size;
    private long seed;

    public MulticastOperation(Sides sides, int largest) {
        if (sides.right().device().maxMcastGroups() == 0) {
            throw new NotSupported("the device has no multicast");
        }
        Gid group = groupFor(sides.left().gid());
        faults = sides.left().faults();
        sender = new DatagramQueuePair(sides.left());
        members = List.of(new GroupMember(sides.right(), group, largest),
                new GroupMember(sides.right(), group, largest));
        path = sender.pathTo(group);
        send.destination(path, MULTICAST_QPN, DatagramQueuePair.QKEY);
        source = Buffer.allocate(sides.left().pd(), largest, 0);
    }

    /** {@return the group of the sender's IP version} */
    private static Gid groupFor(GidEntry sender) {
        return sender.gid().isIpv4Mapped() ? IPV4_GROUP : IPV6_GROUP;
    }

    @Override
    public void prepare(int size, long seed) {
        if (!probed) {
            probe();
        }
        this.size = size;
        this.seed = seed;
        wrId++;
        source.fill(size, seed);
        source.setElement(send.wrId(wrId), size);
        members.forEach(member -> member.prepare(wrId, size));
    }

    /**
     * Sends a first datagram to find out whether the port loops multicast back.
     *
     * @throws NotSupported if it does not, which the verbs permit
     */
    private void probe() {
        probed = true;
        prepare(0, 0);
        sender.qp().postSend(send);
        sender.done().expect(wrId, WcOpcode.SEND);
        if (!members.getFirst().done().arrivesWithin(PROBE_TIMEOUT)) {
            if (faults.occurred()) {
                throw new Mismatch("first copy", "one within " + PROBE_TIMEOUT.toSeconds() + " s", "none");
            }
            throw new NotSupported("the port does not loop its own multicast back");
        }
        members.stream().skip(1).forEach(member -> member.done().next());
    }

    @Override
    public void run() {
        sender.qp().postSend(send);
        sender.done().expect(wrId, WcOpcode.SEND);
        for (GroupMember member : members) {
            member.done().expect(wrId, WcOpcode.RECV, Buffer.GRH_BYTES + size);
        }
    }

    @Override
    public void check() {
        members.forEach(member -> member.check(size, seed));
    }

    @Override
    public void close() {
        path.close();
        members.forEach(GroupMember::close);
        sender.close();
        source.close();
    }
}
