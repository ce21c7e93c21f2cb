package io.jverbs.samples.tour;

import io.jverbs.AddressHandle;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import java.time.Duration;
import java.util.List;

/** SEND of a datagram to a multicast group: every queue pair that is attached to the group gets one copy. */
final class MulticastOperation implements Operation {
    /** The queue pair number that means "the members of the group". */
    private static final int MULTICAST_QPN = 0xFF_FFFF;
    /** A group of the local scope (RFC 2365), and one that is transient and link-local (RFC 4291). */
    private static final Gid IPV4_GROUP = Gid.parse("239.255.74.86");
    private static final Gid IPV6_GROUP = Gid.parse("ff12::4a56");
    private static final Duration PROBE = Duration.ofSeconds(2);

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

    MulticastOperation(Sides sides, int largest) {
        if (sides.right().device().maxMcastGroups() == 0) {
            throw new NotOffered("the device has no multicast");
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

    /** Packets of one IP version do not reach groups of the other. */
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
        source.describe(send.wrId(wrId), size);
        members.forEach(member -> member.prepare(wrId, size));
    }

    /** Verbs leave it open whether a port hears its own multicast, so one at which nothing arrives is not wrong. */
    private void probe() {
        probed = true;
        prepare(0, 0);
        sender.qp().postSend(send);
        sender.done().expect(wrId, WcOpcode.SEND);
        if (!members.getFirst().done().arrivesWithin(PROBE)) {
            if (faults.happened()) {
                throw new Mismatch("first copy", "one within " + PROBE.toSeconds() + " s", "none");
            }
            throw new NotOffered("the port does not hear its own multicast");
        }
        members.stream().skip(1).forEach(member -> member.done().next());
    }

    @Override
    public void run() {
        sender.qp().postSend(send);
        sender.done().expect(wrId, WcOpcode.SEND);
        for (GroupMember member : members) {
            member.done().expectArrival(wrId, WcOpcode.RECV, Buffer.GRH_BYTES + size);
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
