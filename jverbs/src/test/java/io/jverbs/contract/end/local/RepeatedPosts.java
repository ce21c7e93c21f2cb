package io.jverbs.contract.end.local;

import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.WorkCompletions;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.Wc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongToIntFunction;

/** Runs many threads that post and poll at the same time. */
final class RepeatedPosts {

    private final Objects objects;
    private final Requests requests;
    private final List<PostTask> posters;
    private final List<Integer> pollCqs;
    private final int completions;
    private final long end;
    private final AtomicIntegerArray posted;
    private final AtomicInteger polled = new AtomicInteger();
    private final List<Wc> all = new ArrayList<>();
    private final List<String> refusals = Collections.synchronizedList(new ArrayList<>());

    RepeatedPosts(Objects objects, List<PostTask> posters, List<Integer> pollCqs, int completions, long millis) {
        this.objects = objects;
        this.requests = new Requests(objects);
        this.posters = posters;
        this.pollCqs = pollCqs;
        this.completions = completions;
        this.end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        this.posted = new AtomicIntegerArray(posters.size());
    }

    RepeatedPostsResult run(int pollThreads) {
        Threads.run(posters.size() + pollThreads, index -> {
            if (index < posters.size()) {
                post(index);
            } else {
                poll(index - posters.size());
            }
        });
        List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < posted.length(); i++) {
            counts.add(posted.get(i));
        }
        return new RepeatedPostsResult(counts, new ArrayList<>(all), new ArrayList<>(refusals));
    }

    private boolean isOver() {
        return System.nanoTime() - end > 0;
    }

    private void post(int index) {
        PostTask task = posters.get(index);
        LongToIntFunction post = prepared(task);
        long first = task.send() != null ? task.send().wrId() : task.receive().wrId();
        int done = 0;
        while (done < task.count() && !isOver()) {
            int errno = post.applyAsInt(first + done);
            if (errno == 0) {
                posted.set(index, ++done);
            } else if (errno == Errno.ENOMEM.code()) {
                Thread.yield();
            } else {
                refusals.add("poster " + index + " at " + done + ": " + Errno.of(errno) + " (" + errno + ")");
                return;
            }
        }
        if (done < task.count()) {
            refusals.add("poster " + index + " at " + done + ": deadline exceeded");
        }
    }

    /** Each thread reuses one flyweight, and only changes its id. */
    private LongToIntFunction prepared(PostTask task) {
        return switch (task.kind()) {
            case SEND -> {
                SendWorkRequest request = requests.sends(List.of(task.send())).head();
                QueuePair qp = objects.qp(task.object());
                yield id -> qp.tryPostSend(request.wrId(id));
            }
            case RECEIVE -> {
                ReceiveWorkRequest request = requests.receives(List.of(task.receive())).getFirst();
                QueuePair qp = objects.qp(task.object());
                yield id -> qp.tryPostReceive(request.wrId(id));
            }
            case SRQ_RECEIVE -> {
                ReceiveWorkRequest request = requests.receives(List.of(task.receive())).getFirst();
                SharedReceiveQueue srq = objects.srq(task.object());
                yield id -> srq.tryPostReceive(request.wrId(id));
            }
        };
    }

    private void poll(int index) {
        CompletionQueue cq = objects.cq(pollCqs.get(index % pollCqs.size()));
        WorkCompletions into = WorkCompletions.create(16);
        List<Wc> mine = new ArrayList<>();
        while (polled.get() < completions && !isOver()) {
            List<Wc> some = Completions.poll(cq, into, 16);
            if (some.isEmpty()) {
                Thread.yield();
            } else {
                polled.addAndGet(some.size());
                mine.addAll(some);
            }
        }
        synchronized (all) {
            all.addAll(mine);
        }
    }
}
