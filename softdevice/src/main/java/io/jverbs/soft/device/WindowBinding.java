package io.jverbs.soft.device;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MwBind;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.soft.memory.KeyTable;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.memory.SoftMw;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.Handle;

/** Posts the bind of a type 1 memory window; see ibv_bind_mw(3). */
final class WindowBinding {

    private WindowBinding() {}

    static void post(SoftQp qp, Handle.Mw handle, long wrId, int sendFlags, MwBind bind, KeyTable keyTable) {
        if (!(handle instanceof SoftMw window)
                || bind.region() != null && !(bind.region().handle() instanceof SoftMr)) {
            throw new VerbsException("bind_mw", Errno.EINVAL,
                    "the window or the region does not belong to a software device");
        }
        if (!qp.parts().service().isConnected()) {
            throw new VerbsException("bind_mw", Errno.EINVAL,
                    "memory windows are bound by RC and UC queue pairs; this queue pair is "
                            + qp.parts().service().type());
        }
        if (window.type() != SoftMw.TYPE_1) {
            throw new VerbsException("bind_mw", Errno.EINVAL,
                    "bind_mw binds windows of type 1; this window is of type 2: post a BIND_MW request instead");
        }
        if (bind.region() == null && (bind.length() != 0 || bind.address() != 0)) {
            throw new VerbsException("bind_mw", Errno.EINVAL, "address " + bind.address() + " and length "
                    + bind.length() + " are given without a region: give a region, or 0 for both to unbind");
        }
        if ((bind.access() & Access.ZERO_BASED) != 0) {
            throw new VerbsException("bind_mw", Errno.EINVAL, "ZERO_BASED is allowed for windows of type 2 only");
        }
        SoftPd regionDomain = bind.region() == null ? window.domain() : (SoftPd) bind.region().pd().handle();
        if (regionDomain != window.domain()) {
            throw new VerbsException("bind_mw", Errno.EPERM,
                    "the window and the region belong to different protection domains");
        }
        int former = window.rkey();
        int key = keyTable.nextKey(window);
        window.showKey(key);
        int errno = 0;
        boolean posted = false;
        try {
            errno = qp.requester().postBind(wrId, sendFlags, window, key,
                    bind.region() == null ? null : (SoftMr) bind.region().handle(), bind.address(), bind.length(),
                    bind.access());
            posted = errno == 0;
        } finally {
            if (!posted) {
                window.showKey(former);
            }
        }
        if (!posted) {
            throw new VerbsException("bind_mw", errno, why(qp, errno));
        }
    }

    private static String why(SoftQp qp, int errno) {
        if (errno == ErrnoCode.ENOMEM) {
            int capacity = qp.parts().capabilities().maxSendWr();
            return capacity == 0
                    ? "the send queue was created with 0 slots"
                    : "the send queue of " + capacity + " requests is full: a slot becomes free when the completion of"
                            + " its request, or of a later SIGNALED request, has been polled";
        }
        return "a queue pair binds windows in RTS, SQD, SQE and ERR; this queue pair is in "
                + QpState.of(qp.state());
    }
}
