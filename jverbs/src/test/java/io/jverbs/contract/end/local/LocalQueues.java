package io.jverbs.contract.end.local;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.CqInitAttributes;
import io.jverbs.Gid;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqAttributes;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import io.jverbs.WorkCompletions;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.CqInfo;
import io.jverbs.contract.end.Infos.QpInfo;
import io.jverbs.contract.end.Infos.Reply;
import io.jverbs.contract.end.Infos.SrqInfo;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.QpSpec;
import io.jverbs.contract.end.QueueCommands;
import io.jverbs.contract.end.Wait;
import io.jverbs.contract.end.Wc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Channels, completion queues, queue pairs, shared receive queues and address handles. */
final class LocalQueues implements QueueCommands {

    /** After polling an empty queue for this long, a thread pauses between polls, because tests run in parallel. */
    private static final long SPIN_NANOS = 10_000_000;
    private static final long PAUSE_NANOS = 500_000;

    private final Objects objects;
    private final Set<Membership> memberships = new HashSet<>();

    /** A membership of a multicast group. A queue pair must leave its groups before it can be closed. */
    private record Membership(int qp, Gid group, int lid) {}

    LocalQueues(Objects objects) {
        this.objects = objects;
        objects.undoLater(this::leaveGroups);
    }

    @Override
    public int createChannel(int context) {
        return objects.add(objects.context(context).createCompletionChannel());
    }

    @Override
    public CqInfo createCq(int context, int cqe, int channel, int completionVector) {
        CqInitAttributes attributes = CqInitAttributes.of(cqe).withCompletionVector(completionVector);
        CqInitAttributes init = channel == End.NONE
                ? attributes
                : attributes.withChannel(objects.get(channel, CompletionChannel.class));
        int id = objects.create(
                own -> objects.context(context).createCompletionQueue(init.withUserContext("cq-" + own)));
        return new CqInfo(id, objects.cq(id).cqe());
    }

    @Override
    public int cqe(int cq) {
        return objects.cq(cq).cqe();
    }

    @Override
    public void resizeCq(int cq, int cqe) {
        objects.cq(cq).resize(cqe);
    }

    @Override
    public List<Wc> poll(int cq, int max) {
        return Completions.poll(objects.cq(cq), WorkCompletions.create(Math.max(max, 1)), max);
    }

    @Override
    public List<Wc> pollUntil(int cq, int count, long millis) {
        CompletionQueue queue = objects.cq(cq);
        WorkCompletions into = WorkCompletions.create(64);
        List<Wc> all = new ArrayList<>();
        long start = System.nanoTime();
        Wait wait = new Wait(millis);
        boolean progress = false;
        while (all.size() < count && (progress || wait.goesOn())) {
            List<Wc> some = Completions.poll(queue, into, 64);
            all.addAll(some);
            progress = !some.isEmpty();
            if (!progress && System.nanoTime() - start < SPIN_NANOS) {
                Thread.yield();
            } else if (!progress) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return all;
    }

    @Override
    public void arm(int cq, boolean solicitedOnly) {
        objects.cq(cq).requestNotification(solicitedOnly);
    }

    @Override
    public void ackCqEvents(int cq, int count) {
        objects.cq(cq).acknowledgeEvents(count);
        objects.acknowledged(cq, count);
    }

    @Override
    public QpInfo createQp(QpSpec spec) {
        return queryQpObject(
                objects.create(own -> objects.pd(spec.pd()).createQueuePair(attributes(spec, own))));
    }

    /** Returns the creation attributes of the queue pair with an id. */
    QpInitAttributes attributes(QpSpec spec, int own) {
        QpInitAttributes.Builder init = QpInitAttributes.builderRaw(spec.type()).maxSendWr(spec.maxSendWr())
                .maxRecvWr(spec.maxRecvWr()).maxSendSge(spec.maxSendSge()).maxRecvSge(spec.maxRecvSge())
                .maxInlineData(spec.maxInlineData()).signalAll(spec.signalAll())
                .blockSelfMulticastLoopback(spec.blockOwnMulticast());
        if (spec.sendCq() != End.NONE) {
            init.sendCq(objects.cq(spec.sendCq()));
        }
        if (spec.recvCq() != End.NONE) {
            init.recvCq(objects.cq(spec.recvCq()));
        }
        if (spec.srq() != End.NONE) {
            init.srq(objects.srq(spec.srq()));
        }
        return init.userContext("qp-" + own).build();
    }

    @Override
    public QpInfo queryQpObject(int qp) {
        QueuePair pair = objects.qp(qp);
        return new QpInfo(qp, pair.number(), pair.type(), pair.capabilities(), objects.idOf(pair.sendCq()),
                objects.idOf(pair.recvCq()), objects.idOf(pair.srq()), objects.idOf(pair.pd()),
                String.valueOf(pair.userContext()));
    }

    @Override
    public void modifyQp(int qp, QpAttr attributes) {
        objects.qp(qp).modify(Attributes.toApi(attributes));
    }

    @Override
    public QpAttr queryQp(int qp) {
        return Attributes.fromApi(objects.qp(qp).query());
    }

    @Override
    public QpState qpState(int qp) {
        return objects.qp(qp).state();
    }

    @Override
    public QpState awaitQpState(int qp, QpState wanted, long millis) {
        QueuePair pair = objects.qp(qp);
        Wait wait = new Wait(millis);
        QpState state = pair.state();
        while (state != wanted && wait.goesOn()) {
            Thread.yield();
            state = pair.state();
        }
        return state;
    }

    @Override
    public ConnectionInfo localInfo(int qp) {
        return objects.qp(qp).localInfo();
    }

    @Override
    public void connect(int qp, ConnectionInfo remote) {
        objects.qp(qp).connect(remote);
    }

    @Override
    public void attachMulticast(int qp, Gid group, int lid) {
        objects.qp(qp).attachMulticast(group, lid);
        synchronized (memberships) {
            memberships.add(new Membership(qp, group, lid));
        }
    }

    @Override
    public void detachMulticast(int qp, Gid group, int lid) {
        objects.qp(qp).detachMulticast(group, lid);
        synchronized (memberships) {
            memberships.remove(new Membership(qp, group, lid));
        }
    }

    private void leaveGroups() {
        synchronized (memberships) {
            memberships.stream().filter(member -> !objects.qp(member.qp()).isClosed())
                    .forEach(member -> objects.qp(member.qp()).detachMulticast(member.group(), member.lid()));
            memberships.clear();
        }
    }

    @Override
    public SrqInfo createSrq(int pd, int maxWr, int maxSge, int limit) {
        SharedReceiveQueue srq = objects.pd(pd)
                .createSharedReceiveQueue(new SrqInitAttributes(maxWr, maxSge, limit, null));
        SrqAttributes real = srq.query();
        return new SrqInfo(objects.add(srq), real.maxWr(), real.maxSge());
    }

    @Override
    public SrqAttributes querySrq(int srq) {
        return objects.srq(srq).query();
    }

    @Override
    public void modifySrq(int srq, Integer maxWr, Integer limit) {
        SrqModification change;
        if (maxWr == null) {
            change = SrqModification.ofLimit(limit);
        } else {
            change = limit == null ? SrqModification.ofMaxWr(maxWr) : SrqModification.of(maxWr, limit);
        }
        objects.srq(srq).modify(change);
    }

    @Override
    public int createAh(int pd, AhAttributes attributes) {
        return objects.add(objects.pd(pd).createAddressHandle(attributes));
    }

    @Override
    public Reply pollForReply(int cq, int memory, long grhOffset, int port, long millis) {
        CompletionQueue queue = objects.cq(cq);
        WorkCompletions into = WorkCompletions.create(1);
        Wait wait = new Wait(millis);
        while (queue.poll(into) == 0) {
            if (!wait.goesOn()) {
                throw new AssertionError("no datagram within " + millis + " ms");
            }
            Thread.yield();
        }
        return new Reply(Completions.at(into, 0), AddressHandle.replyTo(queue.context(), port, into, 0,
                objects.memory(memory).segment().asSlice(grhOffset, 40)));
    }
}
