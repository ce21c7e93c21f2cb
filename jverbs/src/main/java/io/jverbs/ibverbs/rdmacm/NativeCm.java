package io.jverbs.ibverbs.rdmacm;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.ffm.ConnectionCalls;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.FileCalls;
import io.jverbs.ffm.NativeLibrary;
import io.jverbs.ibverbs.shared.EventPoller;
import io.jverbs.ibverbs.shared.EventSource;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.CmChannelOps;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The connection manager of a context. It loads librdmacm with the first channel. Any thread may call any method. */
public final class NativeCm {
    private final long context;
    private final EventPoller poller;
    /** The IDs that exist, by their address, which an event carries. */
    private final Map<Long, NativeCmId> ids = new ConcurrentHashMap<>();
    private final UserEvents userEvents = new UserEvents();

    /**
     * Creates the connection manager of a context.
     *
     * @param context the address of the {@code struct ibv_context}
     * @param poller the poller of the context
     */
    public NativeCm(long context, EventPoller poller) {
        this.context = context;
        this.poller = poller;
    }

    /**
     * {@return a new event channel; see rdma_create_event_channel(3)}
     *
     * @throws VerbsException with ENODEV if librdmacm or the connection manager of the kernel cannot be used
     */
    public CmChannelOps createChannel() {
        if (NativeLibrary.rdmacm() instanceof NativeLibrary.Unusable library) {
            throw new VerbsException("create_event_channel", Errno.ENODEV, library.reason());
        }
        long address = ConnectionCalls.createEventChannel();
        NativeCmChannel made = null;
        try {
            made = channel(address);
            return made;
        } finally {
            if (made == null && !Failure.isErrno(address)) {
                ConnectionCalls.destroyEventChannel(address);
            }
        }
    }

    private NativeCmChannel channel(long address) {
        if (Failure.isErrno(address)) {
            throw refused((int) -address);
        }
        int fd = Fields.cmChannelFd(address);
        Failure.check("create_event_channel", FileCalls.setNonBlocking(fd),
                "the file descriptor of the channel cannot be made non-blocking");
        return new NativeCmChannel(this, address, new EventSource(fd));
    }

    private static VerbsException refused(int errno) {
        if (errno == Errno.EACCES.code() || errno == Errno.EPERM.code()) {
            return Failure.of("create_event_channel", errno,
                    "this user must be able to read and write /dev/infiniband/rdma_cm");
        }
        // ENOENT: there is no device file
        int reported = errno == Errno.ENOENT.code() ? Errno.ENODEV.code() : errno;
        return Failure.of("create_event_channel", reported,
                "librdmacm could not open /dev/infiniband/rdma_cm: load the kernel module rdma_ucm");
    }

    /** Returns the name that libibverbs gives the device. librdmacm has another context of it, with the same name. */
    String device() {
        return Fields.deviceName(Fields.device(context));
    }

    EventPoller poller() {
        return poller;
    }

    UserEvents userEvents() {
        return userEvents;
    }

    /** Adds a new ID. */
    void add(NativeCmId id) {
        ids.put(id.address(), id);
    }

    /** Removes a destroyed ID, but not a new one that librdmacm has since put at the same address. */
    void remove(NativeCmId id) {
        ids.remove(id.address(), id);
        userEvents.discard(id);
    }

    /** Returns the ID at an address. */
    NativeCmId id(long address) {
        return ids.get(address);
    }
}
