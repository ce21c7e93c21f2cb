package io.jverbs.contract.end;

import io.jverbs.contract.end.Infos.PostResult;
import java.util.List;

/** Posting. A list is one chain, posted by one call. */
public interface WorkCommands {

    /** The throwing way. */
    void postSend(int qp, List<SendSpec> chain);

    PostResult tryPostSend(int qp, List<SendSpec> chain);

    void postReceive(int qp, List<RecvSpec> chain);

    PostResult tryPostReceive(int qp, List<RecvSpec> chain);

    void postSrqReceive(int srq, List<RecvSpec> chain);

    PostResult tryPostSrqReceive(int srq, List<RecvSpec> chain);

    /** Links the last request of the chain to its first before posting: a list without an end. */
    PostResult tryPostSrqReceiveCycle(int srq, List<RecvSpec> chain);

    /**
     * Prepares one request and posts it {@code times} times without writing it anew.
     *
     * @return how many posts were accepted before the first refusal
     */
    int repostSend(int qp, SendSpec request, int times);

    /** Posts the chain, then overwrites the request structures at once, before anybody polls. */
    void postSendAndScribble(int qp, List<SendSpec> chain);
}
