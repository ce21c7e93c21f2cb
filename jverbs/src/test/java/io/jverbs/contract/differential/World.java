package io.jverbs.contract.differential;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.Mtu;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.differential.sequence.Peer;
import io.jverbs.contract.differential.sequence.Setup;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.QpInfo;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.QpSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The objects of one sequence. */
final class World implements AutoCloseable {

    static final int PORT = 1;
    static final int QKEY = 0x1111_1111;
    static final int REMOTE_ALL = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    final Setup setup;
    final Map<Peer, QpInfo> qps = new EnumMap<>(Peer.class);
    /** The objects by queue pair; the same object twice if both are on one device. */
    private final Map<Peer, Place> places = new EnumMap<>(Peer.class);
    private final Device device;

    World(Device device, Setup setup) {
        this.device = device;
        this.setup = setup;
        Place first = new Place(device.seat(Peer.A), setup, path(Peer.A));
        places.put(Peer.A, first);
        places.put(Peer.B, device.isOne() ? first : new Place(device.seat(Peer.B), setup, path(Peer.B)));
        create();
    }

    Place place(Peer peer) {
        return places.get(peer);
    }

    /** Returns each place once. */
    Set<Place> places() {
        return new LinkedHashSet<>(places.values());
    }

    private AhAttributes path(Peer peer) {
        return AhAttributes.to(device.seat(peer.other()).gid().gid(), PORT, device.seat(peer).gid().index());
    }

    /** Replaces the windows by new, unbound ones. */
    void newWindow() {
        places().forEach(Place::newWindow);
    }

    int sendCq(Peer peer) {
        return place(peer).cqs.get(setup.queues() == 4 ? 2 * peer.ordinal() : peer.ordinal() % setup.queues());
    }

    int recvCq(Peer peer) {
        return setup.queues() == 4 ? place(peer).cqs.get(2 * peer.ordinal() + 1) : sendCq(peer);
    }

    private void create() {
        for (Peer peer : Peer.values()) {
            Place place = place(peer);
            QpSpec spec = QpSpec.of(setup.type(), place.domain, End.NONE).cqs(sendCq(peer), recvCq(peer)).wrs(32, 32)
                    .signalAll(setup.signalAll());
            QpInfo made = place.end.createQp(setup.shares(peer) ? spec.srq(place.srq) : spec);
            qps.put(peer, made);
            place.numbers.put(made.number(), peer);
        }
    }

    /** Brings both queue pairs to RTS, from RESET or as new queue pairs. */
    void connect(boolean anew, int mtuA, int mtuB) {
        if (anew) {
            qps.forEach((peer, qp) -> place(peer).end.destroy(qp.id()));
            create();
        } else {
            qps.forEach((peer, qp) -> place(peer).end.modifyQp(qp.id(), QpAttr.to(QpState.RESET)));
        }
        for (Peer peer : Peer.values()) {
            start(peer, peer == Peer.A ? mtuA : mtuB);
        }
    }

    private int psn(Peer peer) {
        return peer == Peer.A ? setup.psnA() : setup.psnB();
    }

    private void start(Peer peer, int mtu) {
        int qp = qps.get(peer).id();
        boolean reliable = setup.type() == QpType.RC;
        QpAttr init = QpAttr.to(QpState.INIT).pkeyIndex(0).port(PORT);
        QpAttr rtr = QpAttr.to(QpState.RTR);
        QpAttr rts = QpAttr.to(QpState.RTS).sqPsn(psn(peer));
        if (setup.type() == QpType.UD) {
            init = init.qkey(QKEY);
        } else {
            init = init.access(REMOTE_ALL);
            rtr = rtr.av(path(peer)).mtu(Mtu.of(mtu)).destQpn(qps.get(peer.other()).number())
                    .rqPsn(psn(peer.other()));
        }
        if (reliable) {
            rtr = rtr.maxDestRdAtomic(setup.outstanding()).minRnrTimer(1);
            rts = rts.timeout(setup.impatient() ? 12 : 17).retry(setup.impatient() ? 1 : 6)
                    .rnrRetry(setup.rnrRetry()).maxRdAtomic(setup.outstanding());
        }
        End end = place(peer).end;
        end.modifyQp(qp, init);
        end.modifyQp(qp, rtr);
        end.modifyQp(qp, rts);
    }

    /** Destroys all objects, children first. Returns those that could not be destroyed. */
    List<String> destroyAll() {
        List<String> refused = new ArrayList<>();
        qps.forEach((peer, qp) -> place(peer).destroy("queue pair " + peer, qp.id(), refused));
        places().forEach(place -> place.destroyAll(refused));
        return refused;
    }

    @Override
    public void close() {
        destroyAll();
    }
}
