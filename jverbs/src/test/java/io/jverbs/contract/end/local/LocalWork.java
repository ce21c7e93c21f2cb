package io.jverbs.contract.end.local;

import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.WorkCommands;
import java.util.List;
import java.util.function.ToIntFunction;

/** Posting. */
final class LocalWork implements WorkCommands {

    private final Objects objects;
    private final Requests requests;

    LocalWork(Objects objects, Requests requests) {
        this.objects = objects;
        this.requests = requests;
    }

    @Override
    public void postSend(int qp, List<SendSpec> chain) {
        Requests.SendChain made = requests.sends(chain);
        objects.qp(qp).postSend(made.head());
        made.wipeInline();
    }

    @Override
    public PostResult tryPostSend(int qp, List<SendSpec> chain) {
        Requests.SendChain made = requests.sends(chain);
        int errno = objects.qp(qp).tryPostSend(made.head());
        made.wipeInline();
        return new PostResult(errno, made.indexOf(made.head().failed()));
    }

    @Override
    public void postReceive(int qp, List<RecvSpec> chain) {
        objects.qp(qp).postReceive(requests.receives(chain).getFirst());
    }

    @Override
    public PostResult tryPostReceive(int qp, List<RecvSpec> chain) {
        return attempt(requests.receives(chain), objects.qp(qp)::tryPostReceive);
    }

    @Override
    public void postSrqReceive(int srq, List<RecvSpec> chain) {
        objects.srq(srq).postReceive(requests.receives(chain).getFirst());
    }

    @Override
    public PostResult tryPostSrqReceive(int srq, List<RecvSpec> chain) {
        return attempt(requests.receives(chain), objects.srq(srq)::tryPostReceive);
    }

    @Override
    public PostResult tryPostSrqReceiveCycle(int srq, List<RecvSpec> chain) {
        List<ReceiveWorkRequest> made = requests.receives(chain);
        made.getLast().next(made.getFirst());
        return attempt(made, objects.srq(srq)::tryPostReceive);
    }

    private static PostResult attempt(List<ReceiveWorkRequest> made, ToIntFunction<ReceiveWorkRequest> post) {
        int errno = post.applyAsInt(made.getFirst());
        return new PostResult(errno, made.indexOf(made.getFirst().failed()));
    }

    @Override
    public int repostSend(int qp, SendSpec request, int times) {
        SendWorkRequest prepared = requests.sends(List.of(request)).head();
        QueuePair pair = objects.qp(qp);
        int posted = 0;
        while (posted < times && pair.tryPostSend(prepared) == 0) {
            posted++;
        }
        return posted;
    }

    @Override
    public void postSendAndScribble(int qp, List<SendSpec> chain) {
        Requests.SendChain made = requests.sends(chain);
        objects.qp(qp).postSend(made.head());
        for (SendWorkRequest request : made.requests()) {
            request.wrId(-1).opcode(WrOpcode.SEND).flags(0).immediate(-1).remote(-1, -1).next(null);
            for (int i = 0; i < request.maxSge(); i++) {
                request.sge(i, -1L, -1, -1);
            }
            request.sgeCount(0);
        }
        made.wipeInline();
    }
}
