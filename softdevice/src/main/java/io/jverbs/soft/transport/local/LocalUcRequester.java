package io.jverbs.soft.transport.local;

import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.SoftQp;

/**
 * The requester of an unreliable connection whose peer is in the same JVM: a request is complete when its message has
 * been passed to the peer, if there is one. Guarded by the requester's lock.
 */
public final class LocalUcRequester extends LocalRequester {

    public LocalUcRequester(SoftQp qp, Requester requester) {
        super(qp, requester);
    }

    @Override
    public boolean isBusy() {
        return false;
    }

    @Override
    public void execute() {
        assert requester.isHeldByCurrentThread();
        while (!requester.isEmpty() && requester.mayExecute()) {
            int at = requester.oldest();
            int opcode = requester.opcode(at);
            if (WrOpcodeCode.isLocal(opcode)) {
                requester.executeLocally(at, opcode);
                continue;
            }
            int status = send(at, opcode);
            if (status == WcStatusCode.SUCCESS) {
                completer.succeed(at, opcode, 0);
            } else {
                completer.fail(at, opcode, status);
            }
        }
    }

    /** Sends the oldest request; returns a completion status. */
    private int send(int at, int opcode) {
        SoftQp target = findPeer();
        int fault = loader.load(at, opcode);
        if (fault != WcStatusCode.SUCCESS) {
            return fault;
        }
        message.psn = nextPsn();
        message.packets = assignPsns();
        message.offset = 0;
        deliver(target);
        if (!message.dataValid) {
            qp.noteLostMemory(message.takeLoss());
            return WcStatusCode.LOC_PROT_ERR;
        }
        countPackets();
        countMessage();
        return WcStatusCode.SUCCESS;
    }
}
