package io.jverbs.contract.differential;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.MwType;
import io.jverbs.QpType;
import io.jverbs.contract.differential.sequence.Key;
import io.jverbs.contract.differential.sequence.Layout;
import io.jverbs.contract.differential.sequence.Peer;
import io.jverbs.contract.differential.sequence.Setup;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.VerbsFailure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The objects of one device that its queue pairs need: both queue pairs of a sequence, or one of them. */
final class Place {

    private static final int ALL = Access.LOCAL_WRITE | World.REMOTE_ALL | Access.MW_BIND;

    final End end;
    final int memory;
    final int domain;
    final int otherDomain;
    final Map<Key, MrInfo> regions = new EnumMap<>(Key.class);
    /** The queue pairs of this device by their numbers. */
    final Map<Integer, Peer> numbers = new HashMap<>();
    final List<Integer> cqs = new ArrayList<>();
    final int srq;
    final int ah;
    int window;
    int windowKey;

    /** @param path path to the device of the other queue pair */
    Place(Device.Seat seat, Setup setup, AhAttributes path) {
        this.end = seat.end();
        this.memory = seat.memory();
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
        ah = setup.type() == QpType.UD ? end.createAh(domain, path) : End.NONE;
        if (setup.type() == QpType.RC) {
            newWindow();
        }
    }

    private void register(Key key, int pd, int access) {
        regions.put(key, end.registerMemory(MrSpec.part(pd, memory, 0, Layout.SIZE, access)));
    }

    /** Replaces the window by a new, unbound one. */
    void newWindow() {
        if (window != 0) {
            end.destroy(window);
        }
        var made = end.allocateMw(domain, MwType.TYPE_2.code());
        window = made.id();
        windowKey = made.rkey();
    }

    /** Destroys all objects except queue pairs. Adds those that could not be destroyed to the list. */
    void destroyAll(List<String> refused) {
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
    }

    /** Destroys an object. Adds it to the list if that is refused. */
    void destroy(String what, int id, List<String> refused) {
        try {
            end.destroy(id);
        } catch (VerbsFailure e) {
            refused.add(what + ": errno " + e.errno());
        }
    }
}
