package io.jverbs.soft.management.communication;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;

/**
 * A SIDR_REQ that has arrived and was not responded to. While it exists, the same request is ignored when it arrives
 * again. Guarded by the lock of its agent.
 */
public final class SidrService {
    private final CmAgent agent;
    private final SidrRequest request;
    private final long transactionId;
    private final CmPath path;
    private boolean replied;

    SidrService(CmAgent agent, SidrRequest request, long transactionId, CmPath path) {
        this.agent = agent;
        this.request = request;
        this.transactionId = transactionId;
        this.path = path;
    }

    public SidrRequest request() {
        return request;
    }

    public CmPath path() {
        return path;
    }

    public boolean isReplied() {
        return replied;
    }

    /** Throws EINVAL if the request was responded to. */
    public void requireOpen(String operation) {
        if (replied) {
            throw new VerbsException(operation, Errno.EINVAL, "the request of the peer was accepted or rejected"
                    + " already, allowed is one response to each");
        }
    }

    /** Responds to the request. */
    public void reply(SidrReply reply) {
        drop();
        agent.send(reply.encode(transactionId), path);
    }

    /** Forgets the request without a response. */
    public void drop() {
        replied = true;
        agent.forget(this);
    }
}
