package io.jverbs.contract.end;

import io.jverbs.AhAttributes;
import io.jverbs.ConnectionInfo;
import io.jverbs.Gid;
import io.jverbs.QpState;
import io.jverbs.SrqAttributes;
import io.jverbs.contract.end.Infos.CqInfo;
import io.jverbs.contract.end.Infos.QpInfo;
import io.jverbs.contract.end.Infos.Reply;
import io.jverbs.contract.end.Infos.SrqInfo;
import java.util.List;

/** Channels, completion queues, queue pairs, shared receive queues and address handles: everything except posting. */
public interface QueueCommands {

    int createChannel(int context);

    /** Creates a completion queue. The channel may be {@link End#NONE}. Its user context is "cq-" + id. */
    CqInfo createCq(int context, int cqe, int channel, int completionVector);

    int cqe(int cq);

    void resizeCq(int cq, int cqe);

    /** Makes one poll call for at most {@code max} completions. */
    List<Wc> poll(int cq, int max);

    /**
     * Polls until {@code count} completions have arrived or the timeout has passed. Returns all of them, possibly more
     * than {@code count}.
     */
    List<Wc> pollUntil(int cq, int count, long millis);

    void arm(int cq, boolean solicitedOnly);

    void ackCqEvents(int cq, int count);

    /** Creates a queue pair. Its user context is "qp-" + id. */
    QpInfo createQp(QpSpec spec);

    QpInfo queryQpObject(int qp);

    void modifyQp(int qp, QpAttr attributes);

    QpAttr queryQp(int qp);

    QpState qpState(int qp);

    /** Polls the state until it is the wanted one or the timeout has passed. Returns the last state. */
    QpState awaitQpState(int qp, QpState wanted, long millis);

    ConnectionInfo localInfo(int qp);

    void connect(int qp, ConnectionInfo remote);

    void attachMulticast(int qp, Gid group, int lid);

    void detachMulticast(int qp, Gid group, int lid);

    SrqInfo createSrq(int pd, int maxWr, int maxSge, int limit);

    SrqAttributes querySrq(int srq);

    /** Modifies a shared receive queue. Null leaves a value unchanged. */
    void modifySrq(int srq, Integer maxWr, Integer limit);

    int createAh(int pd, AhAttributes attributes);

    /** Polls one datagram, and returns the path to its sender from the API. The GRH is at the offset of the memory. */
    Reply pollForReply(int cq, int memory, long grhOffset, int port, long millis);
}
