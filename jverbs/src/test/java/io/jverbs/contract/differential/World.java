package io.jverbs.contract.differential;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.GidEntry;
import io.jverbs.Mtu;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.QpInfo;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.QpSpec;
import io.jverbs.contract.end.VerbsFailure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The objects of one sequence on one device. */
final class World implements AutoCloseable {

    static final int PORT = 1;
    static final int QKEY = 0x1111_1111;
    static final int REMOTE_ALL = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    private static final int ALL = Access.LOCAL_WRITE | REMOTE_ALL | Access.MW_BIND;

    final End end;
    final Setup setup;
    final int memory;
    final int domain;
    final int otherDomain;
    final Map<Key, MrInfo> regions = new EnumMap<>(Key.class);
    final Map<Peer, QpInfo> qps = new EnumMap<>(Peer.class);
    final Map<Integer, Peer> numbers = new LinkedHashMap<>();
    final List<Integer> cqs = new ArrayList<>();
    final int srq;
    final int ah;
    int window;
    int windowKey;
    private final GidEntry gid;

    World(Device device, Setup setup) {
        this.end = device.end();
        this.setup = setup;
        this.memory = device.memory();
        this.gid = device.gid();
        domain = end.allocatePd(End.MAIN);
        otherDomain = end.allocatePd(End.MAIN);
        MrSpec all = MrSpec.part(domain, memory, 0, Layout.SIZE, ALL);
        regions.put(Key.ALL, end.registerMemory(setup.iova() == null ? all : all.iova(setup.iova())));
        register(Key.LOCAL, domain, Access.LOCAL_WRITE);
        register(Key.READ_ONLY, domain, Access.REMOTE_READ);
        register(Key.FOREIGN, otherDomain, ALL);
        for (int i = 0; i < setup.queues(); i++) {
            cqs.add(end.createCq(End.MAIN, setup.cqe(), End.NONE, 0).id());
        }
        srq = setup.sharedBy() == 0 ? End.NONE : end.createSrq(domain, 64, 4, 0).id();
        ah = setup.type() == QpType.UD ? end.createAh(domain, path()) : End.NONE;
        if (setup.type() == QpType.RC) {
            newWindow();
        }
        create();
    }

    private void register(Key key, int pd, int access) {
        regions.put(key, end.registerMemory(MrSpec.part(pd, memory, 0, Layout.SIZE, access)));
    }

    private AhAttributes path() {
        return AhAttributes.to(gid.gid(), PORT, gid.index());
    }

    /** Replaces the window by a new one that nothing is bound to. */
    void newWindow() {
        if (window != 0) {
            end.destroy(window);
        }
        var made = end.allocateMw(domain, MwType.TYPE_2.code());
        window = made.id();
        windowKey = made.rkey();
    }

    int sendCq(Peer peer) {
        return cqs.get(setup.queues() == 4 ? 2 * peer.ordinal() : peer.ordinal() % setup.queues());
    }

    int recvCq(Peer peer) {
        return setup.queues() == 4 ? cqs.get(2 * peer.ordinal() + 1) : sendCq(peer);
    }

    private void create() {
        for (Peer peer : Peer.values()) {
            QpSpec spec = QpSpec.of(setup.type(), domain, End.NONE).cqs(sendCq(peer), recvCq(peer)).wrs(32, 32)
                    .signalAll(setup.signalAll());
            QpInfo made = end.createQp(setup.shares(peer) ? spec.srq(srq) : spec);
            qps.put(peer, made);
            numbers.put(made.number(), peer);
        }
    }

    /** Both queue pairs to RTS, from RESET or as new ones. */
    void connect(boolean anew, int mtuA, int mtuB) {
        if (anew) {
            qps.values().forEach(qp -> end.destroy(qp.id()));
            create();
        } else {
            qps.values().forEach(qp -> end.modifyQp(qp.id(), QpAttr.to(QpState.RESET)));
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
            rtr = rtr.av(path()).mtu(Mtu.of(mtu)).destQpn(qps.get(peer.other()).number())
                    .rqPsn(psn(peer.other()));
        }
        if (reliable) {
            rtr = rtr.maxDestRdAtomic(setup.outstanding()).minRnrTimer(1);
            rts = rts.timeout(setup.impatient() ? 12 : 17).retry(setup.impatient() ? 1 : 6)
                    .rnrRetry(setup.rnrRetry()).maxRdAtomic(setup.outstanding());
        }
        end.modifyQp(qp, init);
        end.modifyQp(qp, rtr);
        end.modifyQp(qp, rts);
    }

    /** Children first; answers what could not be closed. */
    List<String> destroyAll() {
        List<String> refused = new ArrayList<>();
        qps.forEach((peer, qp) -> destroy("queue pair " + peer, qp.id(), refused));
        if (window != 0) {
            destroy("window", window, refused);
        }
        if (ah != End.NONE) {
            destroy("address handle", ah, refused);
        }
        regions.forEach((key, region) -> destroy("region " + key, region.id(), refused));
        if (srq != End.NONE) {
            destroy("shared receive queue", srq, refused);
        }
        cqs.forEach(cq -> destroy("completion queue", cq, refused));
        destroy("domain", domain, refused);
        destroy("other domain", otherDomain, refused);
        return refused;
    }

    private void destroy(String what, int id, List<String> refused) {
        try {
            end.destroy(id);
        } catch (VerbsFailure e) {
            refused.add(what + ": errno " + e.errno());
        }
    }

    @Override
    public void close() {
        destroyAll();
    }
}
