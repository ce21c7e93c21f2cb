package io.jverbs;

import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A memory region, {@code struct ibv_mr}: memory that is registered for access by the device. See ibv_reg_mr(3).
 *
 * <p>
 * {@link ProtectionDomain#registerMemory(MemorySegment, int)} registers memory of the program, and {@link
 * ProtectionDomain#allocate} allocates and registers memory. The region keeps its segment reachable. After {@link
 * #close()} returns, the device does not access the memory. If the arena of the segment is closed while the region is
 * open, requests that use the region complete in error. This class is thread-safe.
 *
 * {@snippet :
 * MemoryRegion region = pd.allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_READ);
 * region.segment().setString(0, "hello");
 * long remoteAddress = region.address();       // the peer needs these two values to read the memory
 * int rkey = region.rkey();
 * }
 */
public final class MemoryRegion extends Resource {
    /** A thread that is never started: a segment that it cannot access is confined to another thread. */
    private static final Thread OTHER_THREAD = new Thread(() -> {});
    private static final int CHANGE_TRANSLATION = 1;
    private static final int CHANGE_PD = 2;
    private static final int CHANGE_ACCESS = 4;

    private final Handle.Mr handle;
    private volatile ProtectionDomain pd;
    private volatile MemorySegment segment;
    private volatile long address;
    private volatile int access;

    private MemoryRegion(ProtectionDomain pd, MemorySegment segment, int access, long iova) {
        super(pd.context(), pd);
        this.pd = pd;
        this.segment = segment;
        this.access = access;
        this.address = iova;
        try {
            adopt();
            handle = context().ops().registerMemory(pd.handle(), segment, access, iova);
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    static MemoryRegion register(ProtectionDomain pd, MemorySegment segment, int access, long iova) {
        pd.checkOpen();
        checkSegment(segment, access);
        return new MemoryRegion(pd, segment, access, iova);
    }

    private static void checkSegment(MemorySegment segment, int access) {
        Objects.requireNonNull(segment, "segment");
        if (!segment.isNative()) {
            throw new IllegalArgumentException("segment of " + segment.byteSize()
                    + " bytes is on the heap, where the garbage collector can move it: allocate it from"
                    + " Arena.ofShared() or Arena.ofAuto(), or use ProtectionDomain.allocate");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalArgumentException("the arena of the segment is closed");
        }
        if (!segment.isAccessibleBy(OTHER_THREAD)) {
            throw new IllegalArgumentException("segment of " + segment.byteSize()
                    + " bytes is confined to one thread, but devices use several threads: allocate it from"
                    + " Arena.ofShared() or Arena.ofAuto(), or use ProtectionDomain.allocate");
        }
        checkReadOnly(segment, access);
    }

    private static void checkReadOnly(MemorySegment segment, int access) {
        int writing = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
        if (segment.isReadOnly() && (access & writing) != 0) {
            throw new IllegalArgumentException(
                    "segment is read-only, but access " + Access.toString(access) + " permits writing: register it"
                            + " with REMOTE_READ or no access flags, or pass a writable segment");
        }
    }

    /**
     * Changes the memory, the protection domain or the access flags of this region; see ibv_rereg_mr(3). The keys can
     * change; on the software device they change with the memory. Read the keys again afterwards, and set the elements
     * of prepared requests again. If this method throws, nothing is changed.
     *
     * @param change the changes
     * @throws IllegalArgumentException as for {@link ProtectionDomain#registerMemory(MemorySegment, int)}
     * @throws VerbsException with EINVAL for an illegal combination of access flags, if the new segment has length 0,
     *         or if the new protection domain belongs to another context; EOPNOTSUPP if the device does not support the
     *         change, EBUSY if a memory window is bound to the region
     */
    public void reregister(Reregistration change) {
        StackReserve.check();
        checkOpen();
        ForeignObject.refuse("rereg_mr", context(), "pd", Objects.requireNonNull(change, "change").pd().orElse(null));
        MemorySegment newSegment = change.segment().orElse(segment);
        ProtectionDomain newPd = change.pd().orElse(pd);
        int newAccess = change.access().orElse(access);
        long newAddress = change.segment().isPresent()
                ? change.iova().orElse((newAccess & Access.ZERO_BASED) != 0 ? 0 : newPd.handle().addressOf(newSegment))
                : address;
        if (change.segment().isPresent()) {
            checkSegment(newSegment, newAccess);
            if (newSegment.byteSize() == 0) {
                throw new VerbsException("rereg_mr", Errno.EINVAL,
                        "the new segment has a length of 0; it must be at least 1");
            }
        } else {
            checkReadOnly(newSegment, newAccess);
        }
        int flags = (change.segment().isPresent() ? CHANGE_TRANSLATION : 0) | (change.pd().isPresent() ? CHANGE_PD : 0)
                | (change.access().isPresent() ? CHANGE_ACCESS : 0);
        ProtectionDomain formerPd = pd;
        context().objects().exchangeParent(this, formerPd, newPd);
        try {
            context().ops().reregisterMemory(handle, flags, newSegment, newAddress, newPd.handle(), newAccess);
        } catch (RuntimeException | Error e) {
            context().objects().exchangeParent(this, newPd, formerPd);
            throw e;
        }
        pd = newPd;
        segment = newSegment;
        access = newAccess;
        address = newAddress;
    }

    /** {@return the protection domain of this region} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the registered memory} */
    public MemorySegment segment() {
        return segment;
    }

    /** {@return the address of the first byte in local and remote requests} */
    public long address() {
        return address;
    }

    /** {@return the length in bytes} */
    public long length() {
        return segment.byteSize();
    }

    /** {@return the local key, for scatter/gather elements} */
    public int lkey() {
        return handle.lkey();
    }

    /** {@return the remote key, for requests of peers} */
    public int rkey() {
        return handle.rkey();
    }

    /** {@return the access flags, bits of {@link Access}} */
    public int access() {
        return access;
    }

    /** {@return the device's handle of this object, for service providers} */
    public Handle.Mr handle() {
        return handle;
    }

    @Override
    Rank rank() {
        return Rank.MEMORY_REGION;
    }

    @Override
    void destroy() {
        context().closingOps().deregisterMemory(handle);
    }

    @Override
    public String toString() {
        return "memory region " + Hex.address(address) + "+" + length()
                + (handle == null
                        ? ""
                        : " lkey " + Hex.key(lkey())
                                + " rkey " + Hex.key(rkey()))
                + " " + Access.toString(access);
    }
}
