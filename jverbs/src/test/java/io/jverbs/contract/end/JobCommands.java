package io.jverbs.contract.end;

import io.jverbs.contract.end.Infos.HammerResult;
import io.jverbs.contract.end.Infos.JobResult;
import io.jverbs.contract.end.Infos.LimitResult;
import java.io.Serializable;
import java.util.List;

/** Commands run by threads of the end itself, so that a remote end need not be hammered call by call. */
public interface JobCommands {

    /** A command of {@link End} by name, with its arguments. */
    record Call(String command, List<Object> arguments) implements Serializable {}

    /** What a posting thread of {@link #hammer} posts. */
    enum PostKind {
        SEND, RECEIVE, SRQ_RECEIVE
    }

    /**
     * One posting thread: posts the request {@code count} times, with wrId, wrId + 1, ...; a full queue (ENOMEM) is
     * tried again until the deadline, any other refusal ends the thread.
     *
     * @param object id of the queue pair or shared receive queue
     */
    record PostTask(PostKind kind, int object, SendSpec send, RecvSpec receive, int count) implements Serializable {

        public static PostTask sends(int qp, SendSpec first, int count) {
            return new PostTask(PostKind.SEND, qp, first, null, count);
        }

        public static PostTask receives(int qp, RecvSpec first, int count) {
            return new PostTask(PostKind.RECEIVE, qp, null, first, count);
        }

        public static PostTask srqReceives(int srq, RecvSpec first, int count) {
            return new PostTask(PostKind.SRQ_RECEIVE, srq, null, first, count);
        }
    }

    /** Kinds of objects for {@link #exhaust}. */
    enum ObjectKind {
        PD, MR, MW, CQ, QP, SRQ, AH
    }

    /** Starts a command on a thread of its own; answers the job's id. */
    int submit(Call call);

    /** Waits for a job; {@code done} is false when it still runs. */
    JobResult awaitJob(int job, long millis);

    /** Interrupts the job's thread. */
    void interruptJob(int job);

    /** Starts all calls at once, each on its own thread, and waits for all. */
    List<JobResult> parallel(List<Call> calls, long millis);

    /** Runs calls one after the other in one thread; stops behind the first failure. */
    List<JobResult> sequence(List<Call> calls);

    /**
     * Starts all posters and {@code pollThreads} pollers (spread over the queues in turn) at once. Pollers stop when
     * together they have {@code completions} completions, or at the deadline.
     */
    HammerResult hammer(List<PostTask> posters, List<Integer> pollCqs, int pollThreads, int completions, long millis);

    /** Creates objects until refusal or {@code atMost}, frees one, creates one, frees all. */
    LimitResult exhaust(ObjectKind kind, int atMost);
}
