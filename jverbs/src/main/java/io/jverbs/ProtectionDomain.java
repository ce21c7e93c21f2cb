package io.jverbs;

import io.jverbs.spi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A protection domain, {@code struct ibv_pd}: queue pairs can use only memory regions, memory windows and address
 * handles of their own protection domain. See ibv_alloc_pd(3).
 *
 * <p>
 * {@link RdmaContext#allocatePd()} allocates a protection domain. This class is thread-safe.
 *
 * {@snippet :
 * ProtectionDomain pd = context.allocatePd();
 * MemoryRegion allocated = pd.allocate(4096, Access.LOCAL_WRITE);
 *
 * MemorySegment memory = Arena.ofAuto().allocate(1 << 20, 4096);
 * MemoryRegion registered = pd.registerMemory(memory, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
 *
 * QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(128).build());
 * }
 */
public final class ProtectionDomain extends Resource {
    private static final long ALLOCATION_ALIGNMENT = 4096;

    private final Handle.Pd handle;

    ProtectionDomain(RdmaContext context) {
        super(context);
        try {
            adopt();
            handle = context.ops().allocatePd();
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    /**
     * Registers memory; see ibv_reg_mr(3). The address of the region in requests is the address of the segment, or 0
     * with {@link Access#ZERO_BASED}. Devices whose runs must be repeatable, as in a simulated network, assign another
     * address: {@link MemoryRegion#address()} returns it.
     *
     * <p>
     * Do not truncate a mapped file while it is registered. On the software device, a request that accesses the missing
     * part completes once, in error: with {@link WcStatus#LOC_PROT_ERR} if the memory is local, or with {@link
     * WcStatus#REM_ACCESS_ERR} if it is memory of the peer. The device recognises the memory of a file by {@link
     * MemorySegment#isMapped()}. This is false for memory that native code mapped, and for the result of {@link
     * MemorySegment#reinterpret(long)}, also if it is called for a mapped segment. There HotSpot can report the fault
     * in any later call, as an {@link InternalError}, and the request can complete with success; an atomic can end the
     * JVM. Therefore pass the segment that {@code FileChannel.map} or {@link MemorySegment#ofBuffer} has returned, or a
     * slice of it.
     *
     * @param segment native or mapped memory of any size, or a slice of it
     * @param access bits of {@link Access}
     * @return the region
     * @throws IllegalArgumentException if the segment is on the heap, its arena is closed, it is confined to one
     *         thread, or it is read-only and {@code access} permits writing; the message says what to do
     * @throws VerbsException with EINVAL for an illegal combination of access flags, ENOMEM if a limit of the device is
     *         reached
     */
    public MemoryRegion registerMemory(MemorySegment segment, int access) {
        long address = (access & Access.ZERO_BASED) != 0
                ? 0
                : handle.addressOf(Objects.requireNonNull(segment, "segment"));
        return MemoryRegion.register(this, segment, access, address);
    }

    /**
     * Registers memory at an address that the program chooses; see ibv_reg_mr_iova(3).
     *
     * @param segment native or mapped memory of any size, or a slice of it
     * @param access bits of {@link Access}
     * @param iova the address of the first byte in local and remote requests
     * @return the region
     * @throws IllegalArgumentException as for {@link #registerMemory(MemorySegment, int)}
     * @throws VerbsException as for {@link #registerMemory(MemorySegment, int)}
     */
    public MemoryRegion registerMemory(MemorySegment segment, int access, long iova) {
        return MemoryRegion.register(this, segment, access, iova);
    }

    /**
     * Allocates memory and registers it. The memory is zeroed and aligned to 4096 bytes. It is freed when the region is
     * closed and the memory is no longer reachable, so no access can reach freed memory.
     *
     * @param bytes the size in bytes, at least 1
     * @param access bits of {@link Access}
     * @return the region; {@link MemoryRegion#segment()} is the memory
     * @throws IllegalArgumentException if {@code bytes} is less than 1
     * @throws VerbsException as for {@link #registerMemory(MemorySegment, int)}
     */
    public MemoryRegion allocate(long bytes, int access) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes " + bytes + " is less than 1");
        }
        return registerMemory(Arena.ofAuto().allocate(bytes, ALLOCATION_ALIGNMENT), access);
    }

    /**
     * Allocates a memory window, which is unbound; see ibv_alloc_mw(3).
     *
     * @param type the type of the window
     * @return the window
     * @throws VerbsException with EINVAL if the device does not support the type, ENOMEM if a limit of the device is
     *         reached
     */
    public MemoryWindow allocateMemoryWindow(MwType type) {
        return new MemoryWindow(this, Objects.requireNonNull(type, "type").code());
    }

    /**
     * Allocates a memory window of a type given as a number, legal or not: for tests of devices.
     *
     * @param rawType a value of {@code enum ibv_mw_type}, or any other
     * @return the window
     * @throws VerbsException with EINVAL for an unknown type
     */
    public MemoryWindow allocateMemoryWindow(int rawType) {
        return new MemoryWindow(this, rawType);
    }

    /**
     * Creates an address handle; see ibv_create_ah(3).
     *
     * @param attributes the path to the destination
     * @return the address handle
     * @throws VerbsException with EINVAL if the port or the source GID does not exist, if there is no destination GID,
     *         or if packets cannot have this destination: the unspecified address, the broadcast address, or an address
     *         of another family than the source
     */
    public AddressHandle createAddressHandle(AhAttributes attributes) {
        return new AddressHandle(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /**
     * Creates a queue pair in the state {@link QpState#RESET}; see ibv_create_qp(3).
     *
     * @param attributes the type, the completion queues and the sizes of the queue pair
     * @return the queue pair
     * @throws VerbsException with EINVAL if a completion queue is missing, if a queue belongs to another context, or if
     *         a size is beyond a limit of the device, EOPNOTSUPP for an unknown type, ENOMEM if the device cannot
     *         create more queue pairs
     */
    public QueuePair createQueuePair(QpInitAttributes attributes) {
        Objects.requireNonNull(attributes, "attributes");
        ForeignObject.refuse("create_qp", context(), "sendCq", attributes.sendCq());
        ForeignObject.refuse("create_qp", context(), "recvCq", attributes.recvCq());
        ForeignObject.refuse("create_qp", context(), "srq", attributes.srq());
        return new QueuePair(this, attributes);
    }

    /**
     * Creates a shared receive queue; see ibv_create_srq(3).
     *
     * @param attributes the sizes of the queue
     * @return the shared receive queue
     * @throws VerbsException with EINVAL if a size is out of range
     */
    public SharedReceiveQueue createSharedReceiveQueue(SrqInitAttributes attributes) {
        return new SharedReceiveQueue(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /** {@return the device's handle of this object, for service providers} */
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
