package io.jverbs.contract.end;

import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.Infos.JobResult;
import io.jverbs.contract.end.Infos.LimitResult;
import java.io.Serializable;
import java.util.List;

/**
 * Commands that run on threads of the end itself, so that a remote end can be loaded without one network round trip for
 * each call.
 */
public interface JobCommands {

    /** A command of {@link End}: its name and arguments. */
    record Call(String command, List<Object> arguments) implements Serializable {}

    /** The kinds of requests that a thread of {@link #postRepeatedly} posts. */
    enum PostKind {
        SEND, RECEIVE, SRQ_RECEIVE
    }

    /**
     * The task of one posting thread. It posts the request {@code count} times, with wrId, wrId + 1, ... If the queue
     * is full (ENOMEM), it retries until the deadline. Any other refusal ends the thread.
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

    /** The kinds of objects for {@link #exhaust}. */
    enum ObjectKind {
        PD, MR, MW, CQ, QP, SRQ, AH
    }

    /** Starts a command on its own thread. Returns the id of the job. */
    int submit(Call call);

    /** Waits for a job. {@code done} is false if it is still running at the timeout. */
    JobResult awaitJob(int job, long millis);

    /** Interrupts the thread of the job. */
    void interruptJob(int job);

    /** Starts all calls at the same time, each on its own thread, and waits for all. */
    List<JobResult> parallel(List<Call> calls, long millis);

    /** Runs calls one after the other in one thread. Stops after the first failure. */
    List<JobResult> sequence(List<Call> calls);

    /**
     * Starts all posters and {@code pollThreads} pollers at the same time; pollers are assigned to the queues in turn.
     * Pollers stop when they have polled {@code completions} completions in total, or at the deadline.
     */
    RepeatedPostsResult postRepeatedly(List<PostTask> posters, List<Integer> pollCqs, int pollThreads, int completions,
            long millis);

    /** Creates objects until a refusal or until {@code atMost} exist, frees one, creates one, and frees all. */
    LimitResult exhaust(ObjectKind kind, int atMost);
}
