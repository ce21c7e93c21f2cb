package io.jverbs.soft.transport;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.AsyncEventType;
import io.jverbs.Gid;
import io.jverbs.QpCapabilities;
import io.jverbs.QpState;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A queue pair of a {@link BareDevice}, with completion queues of its own. Its events and completions are kept. */
public final class BareQueuePair implements QpEvents {
    /** The number of requests that each queue holds. */
    public static final int SLOTS = 16;

    public final SoftQp qp;
    private final BareDevice device;
    private final CompletionQueueCore sendCq;
    private final CompletionQueueCore receiveCq;
    private final PacketAddresses addresses = new PacketAddresses();
    private final MemorySegment polled = BareDevice.memory(WcLayout.SIZE);
    private final List<AsyncEventType> events = new ArrayList<>();

    BareQueuePair(BareDevice device, ServiceType service, int number, SoftSrq srq) {
        this.device = device;
        sendCq = new CompletionQueueCore(device.deferred, 4 * SLOTS, false, null);
        receiveCq = new CompletionQueueCore(device.deferred, 4 * SLOTS, false, null);
        qp = new SoftQp(number,
                new SoftQp.Parts(service, new QpCapabilities(SLOTS, srq == null ? SLOTS : 0, 2, 2, 64), true, false,
                        device.domain, sendCq, receiveCq, srq),
                new SoftQp.Environment(device.keyTable, device.port, device.network, device.timers, device.scan,
                        device.deferred, BareDevice.MAX_MESSAGE, device.wire == null ? PacketNetwork.NONE : device.wire,
                        () -> 0),
                this);
        if (srq != null) {
            receiveCq.registerProducer(qp.responder().lock());
        }
    }

    /** Runs a task while the locks of both halves are held. */
    public void locked(Runnable task) {
        qp.lock();
        try {
            task.run();
        } finally {
            qp.unlock();
        }
    }

    /** Connects the queue pair and moves it to RTS. The settings that the test has changed before are kept. */
    public void connect(Gid peer, int peerQpn, int sqPsn, int rqPsn) {
        addresses.set(peer, BareDevice.GID);
        locked(() -> {
            Route route = device.wire == null || peer.equals(BareDevice.GID)
                    ? null
                    : device.wire.route(BareDevice.GID, peer);
            qp.settings().path = new SoftAh(null, BareDevice.GID, peer, 0, 64, 0, route);
            qp.settings().destinationQpn = peerQpn;
            qp.requester().firstPsn(sqPsn);
            qp.responder().firstPsn(rqPsn);
            qp.state(QpStateCode.RTS);
            qp.requester().chooseLocalOrWire();
        });
    }

    /** Sets the state without the other effects of ibv_modify_qp(3). */
    public void state(QpState state) {
        locked(() -> qp.state(state.code()));
    }

    /** Discards all requests, as the transition to RESET does. */
    public void reset() {
        locked(() -> {
            qp.state(QpStateCode.RESET);
            qp.requester().clear();
            qp.responder().clear();
        });
    }

    /** {@return the state} */
    public QpState state() {
        return QpState.of(qp.state());
    }

    /** Posts a send request. */
    public void post(SendWorkRequest request) {
        requirePosted(qp.post(request));
    }

    /** Posts a receive request for a range of a region, to the shared receive queue if there is one. */
    public void postReceive(long wrId, SoftMr region, long address, int bytes) {
        postReceive(ReceiveWorkRequest.create(1).wrId(wrId).sge(0, address, bytes, region.lkey()));
    }

    /** Posts a receive request, to the shared receive queue if there is one. */
    public void postReceive(ReceiveWorkRequest request) {
        SoftSrq srq = qp.parts().srq();
        requirePosted(srq == null ? qp.responder().post(request) : srq.post(request));
    }

    /** Performs the work that a post defers if the peer knows of no receive request. */
    public void reportPost() {
        qp.defer(SoftQp.CREDITS);
        device.deferred.run();
    }

    private static void requirePosted(long result) {
        if (result != DataPath.POSTED) {
            throw new AssertionError("the request was not posted: " + result);
        }
    }

    /** Processes a packet from the peer, and the work that this defers. */
    public void receive(PacketView packet) {
        qp.receive(packet, addresses);
        device.deferred.run();
    }

    /** {@return the completions of send requests since the previous call, see {@link #receiveCompletions}} */
    public String sendCompletions() {
        return completions(sendCq);
    }

    /**
     * {@return the completions of receive requests since the previous call: the wr_id, with the status if it is not
     * SUCCESS}
     */
    public String receiveCompletions() {
        return completions(receiveCq);
    }

    private String completions(CompletionQueueCore cq) {
        List<String> all = new ArrayList<>();
        while (cq.poll(polled, 1) == 1) {
            WcStatus status = WcStatus.of(polled.get(JAVA_INT, WcLayout.STATUS));
            all.add(polled.get(JAVA_LONG, WcLayout.WR_ID) + (status == WcStatus.SUCCESS ? "" : ":" + status));
        }
        return String.join(" ", all);
    }

    /** {@return the byte_len of each receive completion since the previous call, all of which are successful} */
    public String receivedLengths() {
        List<String> all = new ArrayList<>();
        while (receiveCq.poll(polled, 1) == 1) {
            if (polled.get(JAVA_INT, WcLayout.STATUS) != WcStatus.SUCCESS.code()) {
                throw new AssertionError("a receive request failed");
            }
            all.add(String.valueOf(polled.get(JAVA_INT, WcLayout.BYTE_LEN)));
        }
        return String.join(" ", all);
    }

    /** Polls one completion of a receive request; the memory has the layout {@link WcLayout}. */
    public MemorySegment receiveCompletion() {
        return completion(receiveCq);
    }

    /** Polls one completion of a send request; the memory has the layout {@link WcLayout}. */
    public MemorySegment sendCompletion() {
        return completion(sendCq);
    }

    private MemorySegment completion(CompletionQueueCore cq) {
        if (cq.poll(polled, 1) != 1) {
            throw new AssertionError("there is no completion");
        }
        return polled;
    }

    /** {@return the counters of the queue pair as text, see {@link RecordingPort#counted}} */
    public String counters() {
        Map<Counter, Integer> all = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            if (qp.counters().get(counter) != 0) {
                all.put(counter, (int) qp.counters().get(counter));
            }
        }
        return RecordingPort.text(all);
    }

    /** {@return the asynchronous events, in order} */
    public List<AsyncEventType> events() {
        return events;
    }

    @Override
    public void queuePairEvent(AsyncEventType type, SoftQp of) {
        events.add(type);
    }

    @Override
    public void limitReached(SoftSrq srq) {
        throw new AssertionError("no limit is armed");
    }
}
