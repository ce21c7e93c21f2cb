package io.jverbs.soft;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MwBind;
import io.jverbs.VerbsException;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.memory.Region;
import io.jverbs.soft.memory.Window;
import io.jverbs.soft.transport.SoftQp;

/** Posts the bind of a type 1 window; see ibv_bind_mw(3). */
final class WindowBinding {

    private WindowBinding() {}

    static void post(SoftQp qp, Window window, long wrId, int sendFlags, MwBind bind, int key) {
        if (window.type() != Window.TYPE_1) {
            throw new VerbsException("bind_mw", Errno.EINVAL,
                    "the window is of type 2: post a BIND_MW request instead");
        }
        if (bind.region() == null && (bind.length() != 0 || bind.address() != 0)) {
            throw new VerbsException("bind_mw", Errno.EINVAL, "address and length are given but no region");
        }
        if ((bind.access() & Access.ZERO_BASED) != 0) {
            throw new VerbsException("bind_mw", Errno.EINVAL, "ZERO_BASED is for windows of type 2");
        }
        Domain regionDomain = bind.region() == null ? window.domain() : (Domain) bind.region().pd().handle();
        if (regionDomain != window.domain()) {
            throw new VerbsException("bind_mw", Errno.EPERM, "window and region have different protection domains");
        }
        int former = window.rkey();
        window.showKey(key);
        int errno = qp.requester().postBind(wrId, sendFlags, window, key,
                bind.region() == null ? null : (Region) bind.region().handle(), bind.address(), bind.length(),
                bind.access());
        if (errno != 0) {
            window.showKey(former);
            throw new VerbsException("bind_mw", errno,
                    "the queue pair does not take sends in its state, or its send queue is full");
        }
    }
}
