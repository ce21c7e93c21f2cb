package io.jverbs;

import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Memory that a device may access, as {@code struct ibv_mr}; see ibv_reg_mr(3). The region keeps its segment reachable. Once
 * {@link #close()} returns the device touches the memory no more. Closing the segment's arena while the region is open makes
 * requests that use it complete in error. All methods may be called by any thread.
 */
public final class MemoryRegion extends Resource {
    /** Started by nobody: what it may not access belongs to a single thread. */
    private static final Thread STRANGER = new Thread(() -> {});
    private static final int CHANGE_TRANSLATION = 1;
    private static final int CHANGE_PD = 2;
    private static final int CHANGE_ACCESS = 4;

    private final Handle.Mr handle;
    private volatile ProtectionDomain pd;
    private volatile MemorySegment segment;
    private volatile long address;
    private volatile int access;

    private MemoryRegion(ProtectionDomain pd, MemorySegment segment, int access, long iova) {
        super("reg_mr", pd.context(), pd);
        this.pd = pd;
        this.segment = segment;
        this.access = access;
        this.address = iova;
        try {
            handle = context().ops().registerMemory(pd.handle(), segment, access, iova);
        } catch (RuntimeException e) {
            abandon();
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
                    + " bytes lies on the heap, where the garbage"
                    + " collector moves it: allocate it from Arena.ofShared() or Arena.ofAuto(), or use ProtectionDomain.allocate");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalArgumentException("the segment's arena is closed");
        }
        if (!segment.isAccessibleBy(STRANGER)) {
            throw new IllegalArgumentException("segment of " + segment.byteSize()
                    + " bytes belongs to a single thread, but devices"
                    + " work on many: allocate it from Arena.ofShared() or Arena.ofAuto(), or use ProtectionDomain.allocate");
        }
        checkReadOnly(segment, access);
    }

    private static void checkReadOnly(MemorySegment segment, int access) {
        int writing = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
        if (segment.isReadOnly() && (access & writing) != 0) {
            throw new IllegalArgumentException(
                    "segment is read-only, but access " + Access.toString(access) + " writes: register it"
                            + " with REMOTE_READ or no access bits, or pass the writable segment");
        }
    }

    /**
     * Changes memory, protection domain or access rights of the region without giving it up; see ibv_rereg_mr(3). The keys
     * may change: read them again. A failure changes nothing.
     *
     * @param change what to change
     * @throws IllegalArgumentException as for registration
     * @throws VerbsException with EINVAL for a combination of access bits that verbs forbid, EOPNOTSUPP where the device cannot do
     *             it, EBUSY while a memory window is bound to the region
     */
    public void reregister(Reregistration change) {
        checkOpen();
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
                        "the new segment has a length of 0; it takes at least 1");
            }
        } else {
            checkReadOnly(newSegment, newAccess);
        }
        int flags = (change.segment().isPresent() ? CHANGE_TRANSLATION : 0) | (change.pd().isPresent() ? CHANGE_PD : 0)
                | (change.access().isPresent() ? CHANGE_ACCESS : 0);
        ProtectionDomain formerPd = pd;
        context().exchangeParent("rereg_mr", this, formerPd, newPd);
        try {
            context().ops().reregisterMemory(handle, flags, newSegment, newAddress, newPd.handle(), newAccess);
        } catch (RuntimeException e) {
            context().exchangeParent("rereg_mr", this, newPd, formerPd);
            throw e;
        }
        pd = newPd;
        segment = newSegment;
        access = newAccess;
        address = newAddress;
    }

    /** {@return the protection domain} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the memory} */
    public MemorySegment segment() {
        return segment;
    }

    /** {@return the address by which requests, local and remote, name the first byte} */
    public long address() {
        return address;
    }

    /** {@return the size in bytes} */
    public long length() {
        return segment.byteSize();
    }

    /** {@return the key that local requests carry} */
    public int lkey() {
        return handle.lkey();
    }

    /** {@return the key that peers need} */
    public int rkey() {
        return handle.rkey();
    }

    /** {@return bits of {@link Access}} */
    public int access() {
        return access;
    }

    /** {@return the device's handle, for providers} */
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
