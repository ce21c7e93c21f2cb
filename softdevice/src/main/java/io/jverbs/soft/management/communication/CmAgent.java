package io.jverbs.soft.management.communication;

import io.jverbs.Gid;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.CmMessageType;
import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.DisconnectReply;
import io.jverbs.soft.management.message.DisconnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.MadRefusal;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.management.message.MessageReceiptAck;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.ReadyToUse;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.queue.DeferredWork;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The connection manager of one device: finds the connection that a message belongs to. It does not depend on sockets
 * or a clock. The lock guards this class and its connections; messages are sent and notices delivered after it was
 * released, in order, by one thread at a time.
 */
public final class CmAgent extends DeferredWork {
    private static final int WORK = 1;
    /** The length of {@link #due} at which messages that arrive are dropped: a peer cannot fill the memory. */
    static final int MAX_DUE = 4096;
    /** The maximum number of connections in TIMEWAIT, because a peer chooses how long they are: up to 2.3 hours. */
    static final int MAX_TIMEWAIT = 16_384;

    private final String device;
    private final long caGuid;
    private final MadTransmitter transmitter;
    private final Timers timers;
    private final CmDurations durations;
    private final CmCounters counters = new CmCounters();
    private final ReentrantLock lock = new ReentrantLock();
    private final CmConnections connections = new CmConnections();
    private final Map<Long, CmListener> listeners = new HashMap<>();
    private final Map<Integer, SidrResolution> resolutions = new HashMap<>();
    private final Map<SidrId, SidrService> services = new HashMap<>();
    /** The connections in TIMEWAIT, in the order in which they have entered it. */
    private final SequencedSet<CmConnection> timewaits = new LinkedHashSet<>();
    /** What is due after the lock was released: sends and notices. */
    private final Deque<Runnable> due = new ArrayDeque<>();
    private volatile Delivery delivery = Delivery.IDLE;
    /** What is being performed, or what has failed; otherwise null. Used by the thread that performs what is due. */
    private Runnable current;
    private final int commIdMask;
    private int nextCommId;
    private long nextTransaction;

    /**
     * Whether a thread performs what is due. In RUNNING and RETRYING, one thread does; {@link #perform} returns in
     * others.
     * <pre>
     * state     perform                       one is done  none is left  exception or Error
     * IDLE      RUNNING, if something is due  -            -             -
     * RUNNING   -                             -            IDLE          FAILED
     * FAILED    RETRYING                      -            -             -
     * RETRYING  -                             RUNNING      -             IDLE, it is not tried again
     * </pre>
     */
    private enum Delivery {
        /** No thread performs what is due. */
        IDLE,
        /** A thread performs what is due. */
        RUNNING,
        /** An exception or Error has ended what was being performed, for the first time. */
        FAILED,
        /** A thread performs what has failed once more. */
        RETRYING
    }

    /** The ID of a SIDR_REQ, and the address of its sender. */
    private record SidrId(int requestId, Gid sender) {}

    /** @param device the name of the device */
    public CmAgent(String device, DeferredQueue queue, long caGuid, MadTransmitter transmitter, Timers timers,
            CmDurations durations, RandomGenerator random) {
        super(queue);
        this.device = device;
        this.caGuid = caGuid;
        this.transmitter = transmitter;
        this.timers = timers;
        this.durations = durations;
        this.commIdMask = random.nextInt();
        this.nextTransaction = (long) random.nextInt() << Integer.SIZE;
    }

    /** The number of messages by kind. */
    public CmCounters counters() {
        return counters;
    }

    CmConnections connections() {
        return connections;
    }

    String device() {
        return device;
    }

    public CmDurations durations() {
        return durations;
    }

    /** Runs something with the lock held, and then what became due. The caller holds no lock. */
    public void run(Runnable task) {
        locked(task);
        deferredQueue().run();
    }

    /** Calls something with the lock held, and then performs what became due. The caller holds no lock. */
    public <T> T call(Supplier<T> task) {
        T result;
        lock.lock();
        try {
            result = task.get();
        } finally {
            lock.unlock();
        }
        deferredQueue().run();
        return result;
    }

    private void locked(Runnable task) {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    /** Creates the active half of a connection. The lock is held. */
    public CmConnection connection(Consumer<CmNotice> handler) {
        assert lock.isHeldByCurrentThread();
        CmConnection made = new CmConnection(this, newCommId(), handler);
        connections.add(made);
        return made;
    }

    /** Starts the resolution of a service ID. The lock is held. */
    public SidrResolution resolution(Consumer<SidrResolution.Result> handler) {
        assert lock.isHeldByCurrentThread();
        SidrResolution made = new SidrResolution(this, newCommId(), handler);
        resolutions.put(made.requestId(), made);
        return made;
    }

    private int newCommId() {
        int id;
        do {
            id = nextCommId++ ^ commIdMask;
        } while (connections.byLocalId(id) != null || resolutions.containsKey(id));
        return id;
    }

    long newTransaction() {
        return nextTransaction++;
    }

    PrivateData guidAsInfo() {
        return PrivateData.of(ByteBuffer.allocate(Long.BYTES).putLong(caGuid).array());
    }

    /** Sends a datagram once the lock was released. */
    void send(ManagementDatagram mad, CmPath path) {
        counters.sent(mad);
        due.add(() -> transmitter.send(mad, path));
        defer(WORK);
    }

    <T> void deliver(Consumer<T> handler, T notice) {
        due.add(() -> handler.accept(notice));
        defer(WORK);
    }

    Timers.Alarm alarm(long nanos, Runnable action) {
        return timers.set(nanos, () -> run(action));
    }

    /** Notes that a connection has entered TIMEWAIT. If too many have, the first one leaves it early. */
    void enteredTimewait(CmConnection connection) {
        timewaits.add(connection);
        if (timewaits.size() > MAX_TIMEWAIT) {
            timewaits.getFirst().exitTimewait();
        }
    }

    /** Starts to pass requests for a service ID to a listener, which replaces the former one. The lock is held. */
    public void listen(CmListener listener) {
        assert lock.isHeldByCurrentThread();
        listeners.put(listener.serviceId(), listener);
    }

    /** Ends what {@link #listen} started. The lock is held. */
    public void unlisten(CmListener listener) {
        assert lock.isHeldByCurrentThread();
        listeners.remove(listener.serviceId(), listener);
    }

    /** Returns the number of connections and lookups that exist, those in TIMEWAIT included. The lock is held. */
    public int size() {
        assert lock.isHeldByCurrentThread();
        return connections.size() + resolutions.size() + services.size();
    }

    /** Returns the number of connections in TIMEWAIT. The lock is held. */
    public int timewaitCount() {
        assert lock.isHeldByCurrentThread();
        return timewaits.size();
    }

    void forget(CmConnection connection) {
        connections.forget(connection);
        timewaits.remove(connection);
    }

    void forget(SidrResolution resolution) {
        resolutions.remove(resolution.requestId(), resolution);
    }

    void forget(SidrService service) {
        services.remove(new SidrId(service.request().requestId(), service.path().remote()), service);
    }

    /** Receives a datagram. What becomes due is done when the caller runs the deferred work, without locks. */
    public void receive(ManagementDatagram mad, CmPath from) {
        MadRefusal refusal = mad.refusal();
        if (refusal != null) {
            counters.refuse(refusal);
            return;
        }
        CmMessage message = CmMessage.decode(mad);
        locked(() -> {
            counters.received(message);
            if (due.size() >= MAX_DUE) {
                counters.drop(CmDropReason.QUEUE_FULL, message.attribute());
                return;
            }
            switch (message) {
                case ConnectRequest request -> receivedReq(request, mad.transactionId(), from);
                case ConnectReply reply -> withLocalId(reply.remoteCommId(), reply, each -> each.received(reply));
                case ReadyToUse ready -> withBothIds(ready.remoteCommId(), ready.localCommId(), ready,
                        each -> each.received(ready));
                case MessageReceiptAck ack -> withBothIds(ack.remoteCommId(),
                        senderId(ack.acknowledged(), ack.localCommId()), ack, each -> each.received(ack));
                case ConnectReject reject -> receivedRej(reject);
                case DisconnectRequest request -> receivedDreq(request, mad.transactionId(), from);
                case DisconnectReply reply -> withBothIds(reply.remoteCommId(), reply.localCommId(), reply,
                        each -> each.received(reply));
                case SidrRequest request -> receivedSidrReq(request, mad.transactionId(), from);
                case SidrReply reply -> receivedSidrRep(reply);
            }
        });
    }

    private void receivedSidrReq(SidrRequest request, long transaction, CmPath from) {
        SidrId id = new SidrId(request.requestId(), from.remote());
        if (services.containsKey(id)) {
            counters.drop(CmDropReason.DUPLICATE, CmAttribute.SIDR_REQ);
            return;
        }
        SidrService service = new SidrService(this, request, transaction, from);
        CmListener listener = listeners.get(request.serviceId());
        if (listener == null) {
            counters.drop(CmDropReason.NO_LISTENER, CmAttribute.SIDR_REQ);
            service.reply(new SidrReply(request.requestId(), SidrReply.SERVICE_ID_NOT_SUPPORTED, 0,
                    request.serviceId(), 0, Ece.NONE, PrivateData.NONE, PrivateData.NONE));
            return;
        }
        services.put(id, service);
        deliver(listener.datagramHandler(), service);
    }

    private void receivedSidrRep(SidrReply reply) {
        SidrResolution resolution = resolutions.get(reply.requestId());
        if (resolution == null) {
            counters.drop(CmDropReason.UNKNOWN_ID, CmAttribute.SIDR_REP);
        } else {
            resolution.received(reply);
        }
    }

    private void receivedReq(ConnectRequest request, long transaction, CmPath from) {
        CmConnection former = connections.byRemoteId(request.localCommId(), request.caGuid());
        if (former != null) {
            former.duplicateReq();
            return;
        }
        CmConnection stale = connections.byPeer(request.qpn(), request.caGuid());
        if (stale != null) {
            counters.drop(CmDropReason.STALE_REQ, CmAttribute.REQ);
            rejectReq(request, RejectReason.STALE_CONNECTION, PrivateData.NONE, transaction, from);
            stale.endStale();
            return;
        }
        CmListener listener = listeners.get(request.serviceId());
        if (listener == null) {
            counters.drop(CmDropReason.NO_LISTENER, CmAttribute.REQ);
            rejectReq(request, RejectReason.INVALID_SERVICE_ID, PrivateData.NONE, transaction, from);
            return;
        }
        if (!request.primaryPath().isBetween(from.remote(), from.local())) {
            counters.drop(CmDropReason.FOREIGN_GID, CmAttribute.REQ);
            rejectReq(request, RejectReason.INVALID_GID, PrivateData.of(from.local().toBytes()), transaction, from);
            return;
        }
        CmConnection made = connection(listener.handler());
        made.received(request, transaction, from, listener);
        connections.register(made);
    }

    private void rejectReq(ConnectRequest request, int reason, PrivateData info, long transaction, CmPath to) {
        send(new ConnectReject(0, request.localCommId(), CmMessageType.REQ, reason, info, PrivateData.NONE)
                .encode(transaction), to);
    }

    /**
     * Receives a REJ. A sender that has received no response to its REQ does not know the ID of this side, and
     * states its own GUID.
     */
    private void receivedRej(ConnectReject reject) {
        if (reject.reason() == RejectReason.TIMEOUT && reject.additionalInfo().length() == Long.BYTES) {
            long sender = ByteBuffer.wrap(reject.additionalInfo().toBytes()).getLong();
            CmConnection connection = connections.byRemoteId(reject.localCommId(), sender);
            if (connection != null) {
                connection.received(reject);
                return;
            }
        }
        withBothIds(reject.remoteCommId(), senderId(reject.rejected(), reject.localCommId()), reject,
                each -> each.received(reject));
    }

    /** Returns what this side knows of the ID of a sender: nothing before it has the REP that responds to its REQ. */
    private static int senderId(CmMessageType respondedTo, int commId) {
        return respondedTo == CmMessageType.REQ ? 0 : commId;
    }

    private void receivedDreq(DisconnectRequest request, long transaction, CmPath from) {
        CmConnection connection = connections.byLocalId(request.remoteCommId());
        if (connection == null || connection.remoteCommId() != request.localCommId()) {
            counters.drop(CmDropReason.DUPLICATE, CmAttribute.DREQ);
            send(new DisconnectReply(request.remoteCommId(), request.localCommId(), PrivateData.NONE)
                    .encode(transaction), from);
        } else {
            connection.received(request, transaction);
        }
    }

    private void withLocalId(int localId, CmMessage message, Consumer<CmConnection> action) {
        CmConnection connection = connections.byLocalId(localId);
        if (connection == null) {
            counters.drop(CmDropReason.UNKNOWN_ID, message.attribute());
        } else {
            action.accept(connection);
        }
    }

    private void withBothIds(int localId, int remoteId, CmMessage message, Consumer<CmConnection> action) {
        withLocalId(localId, message, connection -> {
            if (connection.remoteCommId() == remoteId) {
                action.accept(connection);
            } else {
                counters.drop(CmDropReason.UNKNOWN_ID, message.attribute());
            }
        });
    }

    @Override
    protected void perform(int bits) {
        boolean isOwner = false;
        try {
            lock.lock();
            try {
                Delivery before = delivery;
                boolean isFree = before == Delivery.FAILED || before == Delivery.IDLE && !due.isEmpty();
                if (!isFree) {
                    return;
                }
                delivery = before == Delivery.FAILED ? Delivery.RETRYING : Delivery.RUNNING;
                isOwner = true;
            } finally {
                lock.unlock();
            }
            for (Runnable item = next(); item != null; item = next()) {
                item.run();
                current = null;
                delivery = Delivery.RUNNING;
            }
            isOwner = false;
        } finally {
            if (isOwner) {
                // a second failure is the last
                current = delivery == Delivery.RETRYING ? null : current;
                delivery = current == null ? Delivery.IDLE : Delivery.FAILED;
            }
        }
    }

    /** Returns what to do next: what has failed, else what is due first; null if nothing is. */
    private Runnable next() {
        lock.lock();
        try {
            if (current == null) {
                current = due.poll();
            }
            if (current == null) {
                delivery = Delivery.IDLE;
            }
            return current;
        } finally {
            lock.unlock();
        }
    }
}
