package io.jverbs.soft;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.soft.fabric.WayOut;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.Deferral;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;

/** The data path of a context: hands each call to the object it is for. */
abstract class SoftDataPath implements DataPath {
    private final SoftDevice device;
    private final Deferral.Agenda agenda;
    private final WayOut wire;

    SoftDataPath(SoftDevice device) {
        this.device = device;
        this.agenda = device.network().agenda();
        this.wire = device.wire();
    }

    final SoftDevice device() {
        return device;
    }

    @Override
    public final long postSend(Handle.Qp qp, SendWorkRequest head) {
        return device.isRemoved() ? DataPath.failed(ErrnoCode.EIO, 0) : ((SoftQp) qp).requester().post(head);
    }

    @Override
    public final long postReceive(Handle.Qp qp, ReceiveWorkRequest head) {
        return device.isRemoved() ? DataPath.failed(ErrnoCode.EIO, 0) : ((SoftQp) qp).responder().post(head);
    }

    @Override
    public final long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
        if (device.isRemoved()) {
            return DataPath.failed(ErrnoCode.EIO, 0);
        }
        return ((SoftSrq) srq).post(head);
    }

    @Override
    public final int poll(Handle.Cq cq, WorkCompletions completions, int max) {
        int count = ((CompletionQueueCore) cq).poll(completions.memory(), max);
        if (count == 0 && wire != null) {
            wire.help();
            return ((CompletionQueueCore) cq).poll(completions.memory(), max);
        }
        return count;
    }

    @Override
    public final int requestNotification(Handle.Cq cq, boolean solicitedOnly) {
        if (device.isRemoved()) {
            return ErrnoCode.EIO;
        }
        boolean armed = ((CompletionQueueCore) cq).arm(solicitedOnly);
        if (armed && wire != null) {
            wire.listen();
        }
        return armed ? 0 : ErrnoCode.EINVAL;
    }

    /** Does what was found while locks were held. */
    final void runAgenda() {
        agenda.run();
    }
}
