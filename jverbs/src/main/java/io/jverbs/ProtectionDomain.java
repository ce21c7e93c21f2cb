package io.jverbs;

import io.jverbs.spi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A protection domain, as {@code struct ibv_pd}: memory, queue pairs and address handles of one domain work together; see
 * ibv_alloc_pd(3). All methods may be called by any thread.
 */
public final class ProtectionDomain extends Resource {
    private static final long ALLOCATION_ALIGNMENT = 4096;

    private final Handle.Pd handle;

    ProtectionDomain(RdmaContext context) {
        super("alloc_pd", context);
        try {
            handle = context.ops().allocatePd();
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
    }

    /**
     * Registers memory; its address in requests is the segment's own, or 0 with {@link Access#ZERO_BASED}. See
     * ibv_reg_mr(3).
     *
     * @param segment native or mapped memory, whole or a slice, of any size
     * @param access bits of {@link Access}
     * @return the region
     * @throws IllegalArgumentException if the segment lies on the heap, belongs to one thread, or is read-only while
     *             {@code access} asks for writing; the message says what to do
     * @throws VerbsException with EINVAL for a combination of access bits that verbs forbid, ENOMEM if the device has no
     *             room
     */
    public MemoryRegion registerMemory(MemorySegment segment, int access) {
        long address = (access & Access.ZERO_BASED) != 0 ? 0 : handle.addressOf(segment);
        return MemoryRegion.register(this, segment, access, address);
    }

    /**
     * Registers memory under an address of the program's choice; see ibv_reg_mr_iova(3).
     *
     * @param segment as above
     * @param access bits of {@link Access}
     * @param iova the address by which requests name the first byte
     * @return the region
     * @throws IllegalArgumentException as above
     * @throws VerbsException as above
     */
    public MemoryRegion registerMemory(MemorySegment segment, int access, long iova) {
        return MemoryRegion.register(this, segment, access, iova);
    }

    /**
     * Allocates zeroed memory, aligned to 4096 bytes, and registers it. The memory belongs to the region and is freed after
     * the region is closed, once nothing refers to it, so that no access can ever hit freed memory.
     *
     * @param bytes the size, at least 1
     * @param access bits of {@link Access}
     * @return the region; {@link MemoryRegion#segment()} is the memory
     * @throws VerbsException as above
     */
    public MemoryRegion allocate(long bytes, int access) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes " + bytes + " is less than 1");
        }
        return registerMemory(Arena.ofAuto().allocate(bytes, ALLOCATION_ALIGNMENT), access);
    }

    /**
     * Allocates a memory window, bound to nothing; see ibv_alloc_mw(3).
     *
     * @param type its type
     * @return the window
     * @throws VerbsException with EINVAL if the device lacks the type, ENOMEM if it has no more
     */
    public MemoryWindow allocateMemoryWindow(MwType type) {
        return new MemoryWindow(this, type.code());
    }

    /**
     * Allocates a memory window by the number of its type.
     *
     * @param rawType {@code enum ibv_mw_type}
     * @return the window
     * @throws VerbsException with EINVAL for an unknown type
     */
    public MemoryWindow allocateMemoryWindow(int rawType) {
        return new MemoryWindow(this, rawType);
    }

    /**
     * Creates an address handle; see ibv_create_ah(3).
     *
     * @param attributes the destination
     * @return the handle
     * @throws VerbsException with EINVAL if the port or the source GID does not exist, or there is no destination GID
     */
    public AddressHandle createAddressHandle(AhAttributes attributes) {
        return new AddressHandle(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /**
     * Creates a queue pair in RESET; see ibv_create_qp(3).
     *
     * @param attributes its type, completion queues and sizes
     * @return the queue pair
     * @throws VerbsException with EINVAL if a completion queue is missing or a size is beyond the device's, EOPNOTSUPP for an
     *             unknown type, ENOMEM if the device has no more
     */
    public QueuePair createQueuePair(QpInitAttributes attributes) {
        return new QueuePair(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /**
     * Creates a shared receive queue; see ibv_create_srq(3).
     *
     * @param attributes its sizes
     * @return the queue
     * @throws VerbsException with EINVAL if a size is out of range
     */
    public SharedReceiveQueue createSharedReceiveQueue(SrqInitAttributes attributes) {
        return new SharedReceiveQueue(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /** {@return the device's handle, for providers} */
    public Handle.Pd handle() {
        return handle;
    }

    @Override
    Rank rank() {
        return Rank.PROTECTION_DOMAIN;
    }

    @Override
    void destroy() {
        context().closingOps().deallocatePd(handle);
    }

    @Override
    public String toString() {
        return "protection domain of " + context().device();
    }
}
