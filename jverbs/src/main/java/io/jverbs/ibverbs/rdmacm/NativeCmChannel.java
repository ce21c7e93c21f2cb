package io.jverbs.ibverbs.rdmacm;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import io.jverbs.ffm.ConnectionCalls;
import io.jverbs.ffm.ibverbs.IbvConstants;
import io.jverbs.ibverbs.shared.ControlLock;
import io.jverbs.ibverbs.shared.EventSource;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmIdOps.Route;
import io.jverbs.spi.journal.CmJournal;
import io.jverbs.spi.journal.FlightRecording;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event channel of librdmacm, {@code struct rdma_event_channel}.
 *
 * <p>
 * An event is copied and acknowledged to librdmacm under the lock of the {@link EventSource} under which it was
 * retrieved: rdma_destroy_id(3) waits for acknowledgements in native code, where it would block the carrier of a
 * virtual thread, and for ever if the program forgets one. The API counts the acknowledgements of the program.
 *
 * <p>
 * The order of the locks: the channel, the ID, the source of events; of two sources, that with the smaller file
 * descriptor first. A thread that retrieves an event takes no lock of
 * an ID. Any thread may call any method.
 */
final class NativeCmChannel implements CmChannelOps {
    private static final Logger LOG = LoggerFactory.getLogger(NativeCmChannel.class);

    private final NativeCm manager;
    private final long address;
    private final EventSource source;
    private final ControlLock controlLock = new ControlLock();
    private final Set<NativeCmId> ids = ConcurrentHashMap.newKeySet();
    /** Receives the address of an event. The lock of the source guards this and the following fields. */
    private final MemorySegment cell = Arena.ofAuto().allocate(ValueLayout.ADDRESS);
    /** Whether the event in the cell, if there is one, is not acknowledged. */
    private boolean isRetrieved;
    /** Whether the ID that the event has created, if it is a connect request, is one of the IDs of this channel. */
    private boolean isChildKnown;
    /** Destroys the channel. It exists before, because the close must succeed without memory. */
    private final IntSupplier destruction = this::destroy;

    NativeCmChannel(NativeCm manager, long address, EventSource source) {
        this.manager = manager;
        this.address = address;
        this.source = source;
    }

    @Override
    public CmIdOps createId(int portSpace, int qpType, Object owner) {
        int own = portSpace == IbvConstants.RDMA_PS_UDP() || portSpace == IbvConstants.RDMA_PS_IPOIB()
                ? QpType.UD.code()
                : QpType.RC.code();
        if (qpType != own) {
            throw new VerbsException("create_id", Errno.EINVAL, "the type is " + QpType.of(qpType)
                    + "; librdmacm creates IDs of port space " + portSpace + " with type " + QpType.of(own) + " only");
        }
        NativeCmId made = create(portSpace);
        made.owner(owner);
        return made;
    }

    /** Creates an ID without an owner. The caller holds no lock of an ID. */
    NativeCmId create(int portSpace) {
        controlLock.enter();
        try {
            return created(portSpace);
        } finally {
            controlLock.leave();
        }
    }

    private NativeCmId created(int portSpace) {
        // not closed, since an Error in the close would leave an ID without an owner
        MemorySegment pointer = Arena.ofAuto().allocate(ValueLayout.ADDRESS);
        long id = ConnectionCalls.createId(address, pointer, 0, portSpace);
        NativeCmId made = null;
        boolean isKept = false;
        try {
            Failure.pointer("create_id", id, "librdmacm refused to create an ID of the port space");
            made = new NativeCmId(manager, this, id, portSpace, CmIdState.IDLE);
            add(made);
            isKept = true;
            return made;
        } finally {
            if (!isKept && !Failure.isErrno(id)) {
                ConnectionCalls.destroyId(id);
            }
            if (!isKept && made != null) {
                remove(made);
            }
        }
    }

    private void add(NativeCmId id) {
        manager.add(id);
        ids.add(id);
    }

    /** Removes an ID that was destroyed. */
    void remove(NativeCmId id) {
        ids.remove(id);
        manager.remove(id);
    }

    /** Returns whether the calling thread holds the lock of the source; for assertions alone. */
    boolean isSourceLocked() {
        return source.isHeldByCurrentThread();
    }

    /** Makes a call while no event of this channel is retrieved and not acknowledged, so librdmacm does not wait. */
    int callExclusively(IntSupplier call) {
        return source.callExclusively(call);
    }

    /**
     * Makes a call while no event of this channel or another one is being retrieved. The kernel and librdmacm move an
     * ID one after the other: a connect request that was retrieved between would get an ID of the wrong channel.
     */
    int callExclusively(NativeCmChannel other, IntSupplier call) {
        return source.fd() < other.source.fd()
                ? source.callExclusively(() -> other.source.callExclusively(call))
                : other.source.callExclusively(() -> source.callExclusively(call));
    }

    /** Takes an ID from another channel; see rdma_migrate_id(3). The call is made while this channel exists. */
    void take(NativeCmId id, Runnable migration) {
        controlLock.enter();
        try {
            ids.add(id);
            migration.run();
            userEventAdded();
        } finally {
            if (id.channel() != this) {
                ids.remove(id);
            }
            controlLock.leave();
        }
    }

    /** Forgets an ID that another channel has taken. */
    void forget(NativeCmId id) {
        ids.remove(id);
    }

    long address() {
        return address;
    }

    @Override
    public CmEventData await(long nanos) throws InterruptedException {
        return source.await(manager.poller(), this::read, nanos);
    }

    /** Makes the threads that wait look for an event that the program has posted to an ID, or that came with one. */
    void userEventAdded() {
        source.readable();
    }

    /** Reads an event of librdmacm, or one that the program has posted; returns null if there is none. */
    private CmEventData read() {
        CmEventData data = readLibrary();
        if (data == null) {
            data = manager.userEvents().poll(this);
        }
        if (data != null) {
            record(data);
            // last: the program must get, and acknowledge, every event that is counted
            ((NativeCmId) (data.listener() == null ? data.id() : data.listener())).countRetrieved();
        }
        return data;
    }

    /** Records an event. It throws nothing: the program must get the event. */
    private void record(CmEventData data) {
        try {
            if (FlightRecording.isOn()) {
                Route route = ((NativeCmId) data.id()).lastRoute();
                CmJournal.event(manager.device(), route.local(), route.remote(), data.type(), data.status());
            }
        } catch (RuntimeException | Error e) {
            // no memory or stack for the record, which is lost
        }
    }

    private CmEventData readLibrary() {
        CmEventData data = null;
        while (data == null) {
            acknowledge();
            cell.set(ValueLayout.JAVA_LONG, 0, 0);
            isChildKnown = false;
            isRetrieved = true;
            try {
                int errno = ConnectionCalls.getCmEvent(address, cell);
                if (errno == Errno.EAGAIN.code() || errno == Errno.EINTR.code()) {
                    return null;
                }
                Failure.check("get_cm_event", errno, "librdmacm could not read an event");
                data = new NativeEvent(cell.get(ValueLayout.JAVA_LONG, 0)).data(manager, this);
            } finally {
                acknowledge();
            }
        }
        return data;
    }

    /**
     * Acknowledges the latest event to librdmacm, unless that is done, and rejects a connect request whose ID is not
     * known. An Error may have prevented it: each call that waits for acknowledgements calls this before. The caller
     * holds the lock of the source.
     */
    void acknowledge() {
        assert source.isHeldByCurrentThread();
        if (isRetrieved) {
            long event = cell.get(ValueLayout.JAVA_LONG, 0);
            if (event != 0) {
                if (!isChildKnown) {
                    new NativeEvent(event).destroyChild();
                    isChildKnown = true;
                }
                ConnectionCalls.ackCmEvent(event);
            }
            isRetrieved = false;
        }
    }

    /** Makes the ID of a connect request; returns null, and rejects the request, if it is for another device. */
    CmEventData request(long childAddress, NativeCmId listener, NativeEvent event) {
        NativeCmId child = null;
        CmEventData data = null;
        try {
            child = new NativeCmId(manager, this, childAddress, listener.portSpace(), CmIdState.CONNECT);
            add(child);
            isChildKnown = true;
            child.readRoute();
            if (child.hasDevice()) {
                data = event.request(child, listener);
            } else {
                LOG.warn("Rejected a connect request to another device than {}, at which an ID of {} listens:"
                        + " bind the ID to an address of {}", manager.device(), manager.device(), manager.device());
            }
            return data;
        } finally {
            if (data == null && isChildKnown) {
                child.destroyStruct();
            }
            if (data == null && child != null) {
                remove(child);
            }
        }
    }

    @Override
    public void wake() {
        source.wake();
    }

    @Override
    public void close() {
        controlLock.destroy(destruction);
    }

    private int destroy() {
        for (NativeCmId id : List.copyOf(ids)) {
            id.destroy();
        }
        source.close();
        manager.poller().forget(source);
        ConnectionCalls.destroyEventChannel(address);
        return 0;
    }
}
