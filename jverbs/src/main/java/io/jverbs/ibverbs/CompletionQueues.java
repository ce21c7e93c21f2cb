package io.jverbs.ibverbs;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.ffm.CompletionCalls;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.FileCalls;
import io.jverbs.ibverbs.shared.EventPoller;
import io.jverbs.ibverbs.shared.EventSource;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.ContextOps.EventsReported;
import io.jverbs.spi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The completion queues and completion channels of a context, and their events; see ibv_create_cq(3) and
 * ibv_get_cq_event(3). An event is acknowledged to libibverbs as soon as it is read, so that ibv_destroy_cq(3) never
 * blocks a carrier thread. The API counts the acknowledgements of the program. Any thread may call any method. Events
 * are read under the lock of the channel's {@link EventSource}.
 */
final class CompletionQueues {
    private final NativeContext context;
    private final EventPoller poller;
    /** The open queues by {@code cq_context}, which an event carries. A key is never 0 and never used again. */
    private final Map<Long, NativeHandle.Cq> queues = new ConcurrentHashMap<>();
    private final AtomicLong lastKey = new AtomicLong();

    CompletionQueues(NativeContext context, EventPoller poller) {
        this.context = context;
        this.poller = poller;
    }

    NativeHandle.Channel createChannel() {
        return NativeHandle.create(() -> CompletionCalls.createCompChannel(context.address()),
                CompletionQueues::channel, CompletionCalls::destroyCompChannel);
    }

    private static NativeHandle.Channel channel(long channel) {
        Failure.pointer("create_comp_channel", channel, "libibverbs could not create a completion channel");
        int fd = Fields.channelFd(channel);
        Failure.check("create_comp_channel", FileCalls.setNonBlocking(fd),
                "the file descriptor of the channel cannot be made non-blocking");
        return new NativeHandle.Channel(channel, new EventSource(fd));
    }

    void destroyChannel(Handle.Channel handle) {
        NativeHandle.Channel channel = (NativeHandle.Channel) handle;
        channel.source().close();
        poller.forget(channel.source());
        Failure.check("destroy_comp_channel",
                NativeHandle.destroy(channel, CompletionCalls::destroyCompChannel));
    }

    Object await(Handle.Channel handle, long nanos) throws InterruptedException {
        NativeHandle.Channel channel = (NativeHandle.Channel) handle;
        return channel.source().await(poller, () -> read(channel), nanos);
    }

    /** Reads an event. Returns the owner of its queue, or null if there is no event. */
    private Object read(NativeHandle.Channel channel) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cq = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment key = arena.allocate(ValueLayout.ADDRESS);
            int errno = CompletionCalls.getCqEvent(channel.nativeAddress(), cq, key);
            if (errno == Errno.EAGAIN.code() || errno == Errno.EINTR.code()) {
                return null;
            }
            Failure.check("get_cq_event", errno);
            try {
                // The queue still exists: ibv_destroy_cq waits for the acknowledgement.
                NativeHandle.Cq queue = queues.get(key.get(ValueLayout.JAVA_LONG, 0));
                queue.completionEventRetrieved();
                return queue.owner();
            } finally {
                // also after an Error: without it, the queue could not be destroyed
                CompletionCalls.ackCqEvents(cq.get(ValueLayout.JAVA_LONG, 0), 1);
            }
        }
    }

    NativeHandle.Cq create(int cqe, Handle.Channel channel, int vector, Object owner) {
        Long key = lastKey.incrementAndGet();
        long channelAddress = channel == null ? 0 : NativeHandle.address(channel);
        return NativeHandle.create(
                () -> CompletionCalls.createCq(context.address(), cqe, key, channelAddress, vector),
                cq -> {
                    if (Failure.isErrno(cq)) {
                        throw refused((int) -cq, cqe, vector);
                    }
                    return add(new NativeHandle.Cq(cq, owner, channel != null, key), key);
                }, CompletionCalls::destroyCq);
    }

    private NativeHandle.Cq add(NativeHandle.Cq cq, Long key) {
        try {
            queues.put(key, cq);
            context.asyncEvents().add(cq);
            return cq;
        } catch (Error e) {
            queues.remove(key);
            throw e;
        }
    }

    private VerbsException refused(int errno, int cqe, int vector) {
        int maxCqe = context.queryDevice().maxCqe();
        int vectors = Fields.numCompVectors(context.address());
        if (cqe < 1 || cqe > maxCqe) {
            return new VerbsException("create_cq", errno, "cqe " + cqe + " is outside 1.." + maxCqe);
        }
        if (vector < 0 || vector >= vectors) {
            return new VerbsException("create_cq", errno,
                    "completion vector " + vector + " is outside 0.." + (vectors - 1));
        }
        return Failure.of("create_cq", errno, "the device refused a completion queue of " + cqe + " entries");
    }

    void resize(Handle.Cq cq, int cqe) {
        int errno = CompletionCalls.resizeCq(NativeHandle.address(cq), cqe);
        ((NativeHandle.Cq) cq).readCqe();
        if (errno != 0) {
            throw Failure.of("resize_cq", errno,
                    "cqe " + cqe + " is less than the number of completions in the queue, or outside 1.."
                            + context.queryDevice().maxCqe());
        }
    }

    EventsReported destroy(Handle.Cq handle) {
        NativeHandle.Cq cq = (NativeHandle.Cq) handle;
        Failure.check("destroy_cq", NativeHandle.destroy(cq, CompletionCalls::destroyCq));
        queues.remove(cq.key());
        context.asyncEvents().remove(cq);
        return new EventsReported(cq.completionEvents(), cq.asyncEvents());
    }
}
