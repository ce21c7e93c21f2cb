package io.jverbs.ibverbs;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.FileCalls;
import io.jverbs.ffm.ibverbs.ibv_async_event;
import io.jverbs.ibverbs.shared.EventPoller;
import io.jverbs.ibverbs.shared.EventSource;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.ContextOps.Async;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The asynchronous events of a context; see ibv_get_async_event(3). An event is acknowledged to libibverbs as soon as
 * it is read, for the reason given in {@link CompletionQueues}. Any thread may call any method. Events are read under
 * the lock of the {@link EventSource}.
 */
final class AsyncEvents {
    private final long context;
    private final EventPoller poller;
    private final EventSource source;
    /** The open objects by the address of the native object, which an event carries. */
    private final Map<Long, NativeHandle.Eventful> objects = new ConcurrentHashMap<>();

    AsyncEvents(long context, EventPoller poller) {
        this.context = context;
        this.poller = poller;
        int fd = Fields.asyncFd(context);
        Failure.check("open_device", FileCalls.setNonBlocking(fd));
        source = new EventSource(fd);
    }

    /** Adds a new object. If that fails, the object is not added. */
    void add(NativeHandle.Eventful object) {
        Long address = object.nativeAddress();
        try {
            objects.put(address, object);
        } catch (Error e) {
            objects.remove(address, object);
            throw e;
        }
    }

    /** Removes a destroyed object, but not a new object that libibverbs has since put at the same address. */
    void remove(NativeHandle.Eventful object) {
        objects.remove(object.nativeAddress(), object);
    }

    Async await(long nanos) throws InterruptedException {
        return source.await(poller, this::read, nanos);
    }

    void wake() {
        source.wake();
    }

    private Async read() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = ibv_async_event.allocate(arena);
            int errno = DeviceCalls.getAsyncEvent(context, event);
            if (errno == Errno.EAGAIN.code() || errno == Errno.EINTR.code()) {
                return null;
            }
            Failure.check("get_async_event", errno);
            try {
                return describe(event);
            } finally {
                // also after an Error: without it, the object could not be destroyed
                DeviceCalls.ackAsyncEvent(event);
            }
        }
    }

    private Async describe(MemorySegment event) {
        int type = ibv_async_event.event_type(event);
        MemorySegment element = ibv_async_event.element(event);
        return switch (AsyncEventType.of(type)) {
            case CQ_ERR, QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR, SRQ_ERR,
                    SRQ_LIMIT_REACHED, QP_LAST_WQE_REACHED -> {
                NativeHandle.Eventful object = objects.get(element.get(ValueLayout.JAVA_LONG, 0));
                Async async = new Async(type, object.owner(), 0);
                // last: the program must get, and acknowledge, every event that is counted
                object.asyncEventRetrieved();
                yield async;
            }
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE,
                    DEVICE_SPEED_CHANGE ->
                new Async(
                        type, null, element.get(ValueLayout.JAVA_INT, 0));
            case DEVICE_FATAL, WQ_FATAL, UNKNOWN -> new Async(type, null, 0);
        };
    }

    void close() {
        source.close();
        poller.forget(source);
    }
}
