package io.jverbs.contract.end;

import io.jverbs.contract.end.Infos.PostResult;
import java.util.List;

/** Posting. A list is one chain, posted with one call. */
public interface WorkCommands {

    /** Posts with the method that throws an exception on refusal. */
    void postSend(int qp, List<SendSpec> chain);

    PostResult tryPostSend(int qp, List<SendSpec> chain);

    void postReceive(int qp, List<RecvSpec> chain);

    PostResult tryPostReceive(int qp, List<RecvSpec> chain);

    void postSrqReceive(int srq, List<RecvSpec> chain);

    PostResult tryPostSrqReceive(int srq, List<RecvSpec> chain);

    /** Links the last request of the chain to its first before posting, which makes an endless list. */
    PostResult tryPostSrqReceiveCycle(int srq, List<RecvSpec> chain);

    /**
     * Prepares one request, and posts it {@code times} times without writing it again.
     *
     * @return number of posts accepted before the first refusal
     */
    int repostSend(int qp, SendSpec request, int times);

    /** Posts the chain, then overwrites the request structures immediately, before a completion is polled. */
    void postSendAndScribble(int qp, List<SendSpec> chain);
}
