package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.AsyncEventType;
import io.jverbs.DeviceAttributes;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MwType;
import io.jverbs.PortAttributes;
import io.jverbs.QpType;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.Infos.CqEvent;
import io.jverbs.contract.end.Infos.JobResult;
import io.jverbs.contract.end.JobCommands.Call;
import io.jverbs.contract.end.MrSpec;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One side of a test: an end, with convenience methods for tests. */
public final class Side {

    /** The port that tests use. */
    public static final int PORT = 1;

    /** All rights that a region can have. */
    public static final int ALL_ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC | Access.MW_BIND;

    private final String name;
    private final End end;
    private final long quietMillis;
    private Integer pd;
    private GidEntry gid;

    public Side(String name, End end, long quietMillis) {
        this.name = name;
        this.end = end;
        this.quietMillis = quietMillis;
    }

    /** Returns the end itself, for commands that have no convenience method. */
    public End end() {
        return end;
    }

    /** Returns how long tests wait before they conclude that something does not happen. */
    public long quietMillis() {
        return quietMillis;
    }

    public DeviceAttributes device() {
        return end.queryDevice(End.MAIN);
    }

    public PortAttributes port() {
        return end.queryPort(End.MAIN, PORT);
    }

    /** Returns the preferred GID of the port. */
    public Gid gid() {
        return gidEntry().gid();
    }

    public int gidIndex() {
        return gidEntry().index();
    }

    private GidEntry gidEntry() {
        if (gid == null) {
            gid = end.preferredGid(End.MAIN, PORT);
        }
        return gid;
    }

    /** Returns a path from this side to another side. */
    public AhAttributes pathTo(Side other) {
        return AhAttributes.to(other.gid(), PORT, gidIndex());
    }

    /** Returns the protection domain that objects use by default. */
    public int pd() {
        if (pd == null) {
            pd = newPd();
        }
        return pd;
    }

    public int newPd() {
        return end.allocatePd(End.MAIN);
    }

    /** Creates a completion queue of 64 entries without a channel. */
    public Cq cq() {
        return cq(64);
    }

    public Cq cq(int cqe) {
        return cq(cqe, End.NONE);
    }

    public Cq cq(int cqe, int channel) {
        return new Cq(this, end.createCq(End.MAIN, cqe, channel, 0).id());
    }

    public int channel() {
        return end.createChannel(End.MAIN);
    }

    /** Waits for the next event of a channel. Does not acknowledge it. */
    public CqEvent awaitEvent(int channel) {
        CqEvent event = end.awaitCqEvent(channel, Waits.deadline());
        assertNotNull(event, () -> "no completion event came to channel " + channel + " of " + this);
        return event;
    }

    /** Waits for the next event, asserts that it is for this completion queue, and acknowledges it. */
    public void awaitEvent(int channel, Cq cq) {
        CqEvent event = awaitEvent(channel);
        end.ackCqEvents(event.cq(), 1);
        assertEquals(cq.id(), event.cq(), "queue of the event");
    }

    public void assertNoEvent(int channel) {
        CqEvent event = end.awaitCqEvent(channel, quietMillis);
        assertNull(event, () -> "no completion event should come, but " + event);
    }

    /** Waits for the next asynchronous event of the main context, acknowledges it, and asserts its type. */
    public AsyncInfo awaitAsync(AsyncEventType type) {
        return awaitAsync(End.MAIN, type);
    }

    public AsyncInfo awaitAsync(int context, AsyncEventType type) {
        AsyncInfo event = end.awaitAsyncEvent(context, Waits.deadline());
        assertNotNull(event, () -> "no asynchronous event came to " + this + ", expected " + type);
        end.ackAsyncEvent(event.id());
        assertEquals(type, event.type(), () -> "type of " + event);
        return event;
    }

    /**
     * Waits for a number of asynchronous events of the main context, and acknowledges them. For events that arrive in
     * any order.
     */
    public List<AsyncInfo> awaitAsync(int count) {
        List<AsyncInfo> all = new ArrayList<>();
        while (all.size() < count) {
            AsyncInfo event = end.awaitAsyncEvent(End.MAIN, Waits.deadline());
            assertNotNull(event, () -> "expected " + count + " asynchronous events at " + this + ", but saw " + all);
            end.ackAsyncEvent(event.id());
            all.add(event);
        }
        return all;
    }

    /** Returns and acknowledges asynchronous events until none arrives for the quiet time. */
    public List<AsyncInfo> drainAsync() {
        List<AsyncInfo> all = new ArrayList<>();
        for (AsyncInfo event = end.awaitAsyncEvent(End.MAIN, quietMillis); event != null; event = end
                .awaitAsyncEvent(End.MAIN, quietMillis)) {
            end.ackAsyncEvent(event.id());
            all.add(event);
        }
        return all;
    }

    public void assertNoAsync() {
        assertEquals(List.of(), drainAsync(), () -> "no asynchronous event should come to " + this);
    }

    /** Registers new zeroed memory with all rights. */
    public Region region(long bytes) {
        return region(bytes, ALL_ACCESS);
    }

    public Region region(long bytes, int access) {
        return region(MrSpec.of(pd(), bytes, access));
    }

    public Region region(MrSpec spec) {
        return new Region(this, end.registerMemory(spec));
    }

    public Window window(MwType type) {
        return window(type, pd());
    }

    public Window window(MwType type, int inPd) {
        return new Window(this, end.allocateMw(inPd, type.code()));
    }

    public Srq srq(int maxWr, int maxSge) {
        return srq(pd(), maxWr, maxSge);
    }

    public Srq srq(int inPd, int maxWr, int maxSge) {
        return new Srq(this, end.createSrq(inPd, maxWr, maxSge, 0));
    }

    /** Creates a queue pair in RESET. */
    public Qp qp(QpType type, QpOptions options) {
        return options.create(this, type);
    }

    public Qp qp(QpType type) {
        return qp(type, new QpOptions());
    }

    public int ah(AhAttributes attributes) {
        return end.createAh(pd(), attributes);
    }

    /** Runs one command of the end on a thread of the end. */
    public Job background(Consumer<End> command) {
        return new Job(this, end.submit(record(command)));
    }

    /** Runs one command of each consumer at the same time, each on its own thread of the end, and waits for all. */
    @SafeVarargs
    public final List<JobResult> atOnce(Consumer<End>... commands) {
        List<Call> calls = new ArrayList<>();
        for (Consumer<End> command : commands) {
            calls.add(record(command));
        }
        return end.parallel(calls, Waits.deadline());
    }

    /** Records the call of the consumer instead of executing it. */
    private static Call record(Consumer<End> command) {
        Call[] call = new Call[1];
        End recorder = (End) Proxy.newProxyInstance(End.class.getClassLoader(), new Class<?>[] {End.class},
                (proxy, method, arguments) -> {
                    List<Object> list = new ArrayList<>();
                    for (Object argument : Optional.ofNullable(arguments).orElse(new Object[0])) {
                        list.add(argument);
                    }
                    call[0] = new Call(method.getName(), list);
                    return zero(method.getReturnType());
                });
        command.accept(recorder);
        assertNotNull(call[0], "the consumer called no command of the end");
        return call[0];
    }

    private static Object zero(Class<?> type) {
        if (type == int.class) {
            return 0;
        }
        if (type == long.class) {
            return 0L;
        }
        return type == boolean.class ? Boolean.FALSE : null;
    }

    @Override
    public String toString() {
        return name;
    }
}
