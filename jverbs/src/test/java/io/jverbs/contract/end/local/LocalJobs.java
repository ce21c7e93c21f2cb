package io.jverbs.contract.end.local;

import io.jverbs.contract.end.End;
import io.jverbs.contract.end.EndFailure;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.Infos.JobResult;
import io.jverbs.contract.end.Infos.LimitResult;
import io.jverbs.contract.end.JobCommands;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Commands on threads of the end. */
final class LocalJobs implements JobCommands {

    private final Objects objects;
    private final End end;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<Integer, Job> jobs = new ConcurrentHashMap<>();

    private static final class Job {
        private Thread thread;
        private volatile JobResult result = new JobResult(false, null, null);
    }

    LocalJobs(Objects objects, End end) {
        this.objects = objects;
        this.end = end;
        objects.undoLater(this::stopAll);
    }

    @Override
    public int submit(Call call) {
        Job job = new Job();
        int id = next.getAndIncrement();
        jobs.put(id, job);
        job.thread = Thread.ofPlatform().daemon().name("end-job-" + id).start(() -> job.result = run(call));
        return id;
    }

    @Override
    public JobResult awaitJob(int id, long millis) {
        Job job = job(id);
        try {
            job.thread.join(Math.max(millis, 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return job.result;
    }

    @Override
    public void interruptJob(int id) {
        job(id).thread.interrupt();
    }

    private Job job(int id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw new IllegalArgumentException("job " + id + " of this end is unknown");
        }
        return job;
    }

    private void stopAll() {
        jobs.values().forEach(job -> job.thread.interrupt());
        jobs.values().forEach(job -> {
            try {
                job.thread.join(TimeUnit.SECONDS.toMillis(10));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (job.thread.isAlive()) {
                IllegalStateException failure = new IllegalStateException(
                        "a command of the end did not return within 10 s after an interrupt");
                failure.setStackTrace(job.thread.getStackTrace());
                throw failure;
            }
        });
    }

    @Override
    public List<JobResult> parallel(List<Call> calls, long millis) {
        JobResult[] results = new JobResult[calls.size()];
        Arrays.fill(results, new JobResult(false, null, null));
        Threads.run(calls.size(), millis, index -> results[index] = run(calls.get(index)));
        return new ArrayList<>(Arrays.asList(results));
    }

    @Override
    public List<JobResult> sequence(List<Call> calls) {
        List<JobResult> results = new ArrayList<>();
        for (Call call : calls) {
            results.add(run(call));
            if (results.getLast().failed()) {
                break;
            }
        }
        return results;
    }

    private JobResult run(Call call) {
        int count = call.arguments().size();
        Method method = Arrays.stream(End.class.getMethods())
                .filter(each -> each.getName().equals(call.command()) && each.getParameterCount() == count)
                .findFirst().orElseThrow(() -> new IllegalArgumentException("unknown command " + call.command()));
        try {
            return new JobResult(true, method.invoke(end, call.arguments().toArray()), null);
        } catch (InvocationTargetException e) {
            return new JobResult(true, null, e.getCause() instanceof RuntimeException known
                    ? known
                    : new EndFailure(e.getCause().getClass().getName(), e.getCause().getMessage()));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public RepeatedPostsResult postRepeatedly(List<PostTask> posters, List<Integer> pollCqs, int pollThreads,
            int completions,
            long millis) {
        return new RepeatedPosts(objects, posters, pollCqs, completions, millis).run(pollThreads);
    }

    @Override
    public LimitResult exhaust(ObjectKind kind, int atMost) {
        return new Limits(objects).exhaust(kind, atMost);
    }
}
