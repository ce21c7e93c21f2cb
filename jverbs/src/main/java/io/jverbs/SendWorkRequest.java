package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.DataPath;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A send work request: a {@code struct ibv_send_wr} with its scatter/gather elements in memory of its own, written by
 * setters and read by the device; see ibv_post_send(3).
 *
 * <p>
 * Prepare a request once and post it as often as you like: posting copies it, so after a post it may be changed or posted
 * again at once. Setters allocate nothing. A request is for one thread at a time. It holds references to what it names,
 * and posting one that names something closed is refused with {@link IllegalStateException}.
 *
 * {@snippet :
 * SendWorkRequest write = SendWorkRequest.create(1)
 *         .opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).wrId(7)
 *         .sge(source, 0, 4096).remote(remoteAddress, rkey);
 * qp.postSend(write);
 * }
 */
public final class SendWorkRequest {
    private static final ValueLayout.OfInt BIG_ENDIAN_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int BIND_MW = WrOpcode.BIND_MW.code();
    /** Up to here operations, unsigned, name nothing but their elements, and an address handle where datagrams are sent. */
    private static final int LAST_EVERYDAY = WrOpcode.ATOMIC_FETCH_AND_ADD.code();

    private final MemorySegment memory;
    private final MemorySegment readable;
    private final long address;
    private final long badWrAddress;
    private final SgeArray elements;
    /** As it stands in the memory. */
    private int opcode;
    private SendWorkRequest next;
    private SendWorkRequest failed;
    private AddressHandle addressHandle;
    private MemoryWindow memoryWindow;
    private MemoryRegion bindRegion;
    /** See {@link #isPlain}: what each post would otherwise find out anew. */
    private boolean plain;

    private SendWorkRequest(int maxSge) {
        memory = Arena.ofAuto().allocate(SendWrLayout.SIZE + maxSge * SgeLayout.SIZE + Long.BYTES, 64);
        elements = new SgeArray(memory, SendWrLayout.SIZE, SendWrLayout.NUM_SGE, maxSge);
        readable = memory.asReadOnly();
        address = memory.address();
        badWrAddress = address + memory.byteSize() - Long.BYTES;
        memory.set(JAVA_LONG, SendWrLayout.SG_LIST, maxSge == 0 ? 0 : address + SendWrLayout.SIZE);
        opcode(WrOpcode.SEND);
    }

    /**
     * Makes a request: a SEND of no elements, not signaled.
     *
     * @param maxSge the greatest number of scatter/gather elements it can hold, 0 to 65536
     * @return the request, whose memory lives as long as it is reachable
     */
    public static SendWorkRequest create(int maxSge) {
        return new SendWorkRequest(SgeArray.checkMax(maxSge));
    }

    /**
     * Sets what the completion will carry to name this request.
     *
     * @param wrId any 64 bits
     * @return this
     */
    public SendWorkRequest wrId(long wrId) {
        memory.set(JAVA_LONG, SendWrLayout.WR_ID, wrId);
        return this;
    }

    /**
     * Sets the operation.
     *
     * @param opcode the operation
     * @return this
     */
    public SendWorkRequest opcode(WrOpcode opcode) {
        return opcode(opcode.code());
    }

    /**
     * Sets the operation by its number.
     *
     * @param opcode {@code enum ibv_wr_opcode}; unknown numbers fail at post
     * @return this
     */
    public SendWorkRequest opcode(int opcode) {
        this.opcode = opcode;
        memory.set(JAVA_INT, SendWrLayout.OPCODE, opcode);
        notePlain();
        return this;
    }

    /**
     * Sets the flags, replacing all.
     *
     * @param flags bits of {@link SendFlags}
     * @return this
     */
    public SendWorkRequest flags(int flags) {
        memory.set(JAVA_INT, SendWrLayout.SEND_FLAGS, flags);
        return this;
    }

    /**
     * Chains a request behind this one; both go with one post.
     *
     * @param next the request to post after this one, null to end the chain here
     * @return this
     */
    public SendWorkRequest next(SendWorkRequest next) {
        this.next = next;
        memory.set(JAVA_LONG, SendWrLayout.NEXT, next == null ? 0 : next.address);
        notePlain();
        return this;
    }

    /**
     * Sets the immediate data, for the operations that carry it.
     *
     * @param immediate 32 bits in host order; the peer reads the same value
     * @return this
     */
    public SendWorkRequest immediate(int immediate) {
        memory.set(BIG_ENDIAN_INT, SendWrLayout.IMM_DATA, immediate);
        return this;
    }

    /**
     * Sets the key to invalidate, for SEND_WITH_INV (the peer's key) and LOCAL_INV (an own one).
     *
     * @param rkey the remote key of a memory window
     * @return this
     */
    public SendWorkRequest invalidateRkey(int rkey) {
        memory.set(JAVA_INT, SendWrLayout.IMM_DATA, rkey);
        return this;
    }

    /**
     * Sets the remote range of an RDMA WRITE or READ; its length is that of the elements.
     *
     * @param address the peer's address
     * @param rkey the peer's key
     * @return this
     */
    public SendWorkRequest remote(long address, int rkey) {
        memory.set(JAVA_LONG, SendWrLayout.REMOTE_ADDR, address);
        memory.set(JAVA_INT, SendWrLayout.RDMA_RKEY, rkey);
        if (addressHandle != null) {
            addressHandle = null;
            notePlain();
        }
        return this;
    }

    /**
     * Sets the operands of an atomic operation without choosing which.
     *
     * @param address the peer's address, a multiple of 8
     * @param rkey the peer's key
     * @param compareAdd the value to compare with, or to add
     * @param swap the value to store if the comparison holds
     * @return this
     */
    public SendWorkRequest atomic(long address, int rkey, long compareAdd, long swap) {
        memory.set(JAVA_LONG, SendWrLayout.REMOTE_ADDR, address);
        memory.set(JAVA_LONG, SendWrLayout.ATOMIC_COMPARE_ADD, compareAdd);
        memory.set(JAVA_LONG, SendWrLayout.ATOMIC_SWAP, swap);
        memory.set(JAVA_INT, SendWrLayout.ATOMIC_RKEY, rkey);
        if (addressHandle != null) {
            addressHandle = null;
            notePlain();
        }
        return this;
    }

    /**
     * Makes this an ATOMIC_CMP_AND_SWP: stores {@code swap} if the peer's word equals {@code compare}; the word's former
     * value comes back into the single element of 8 bytes.
     *
     * @param address the peer's address, a multiple of 8
     * @param rkey the peer's key
     * @param compare the value expected
     * @param swap the value to store
     * @return this
     */
    public SendWorkRequest compareAndSwap(long address, int rkey, long compare, long swap) {
        return opcode(WrOpcode.ATOMIC_CMP_AND_SWP).atomic(address, rkey, compare, swap);
    }

    /**
     * Makes this an ATOMIC_FETCH_AND_ADD: adds to the peer's word modulo 2^64; the word's former value comes back into the
     * single element of 8 bytes.
     *
     * @param address the peer's address, a multiple of 8
     * @param rkey the peer's key
     * @param add the value to add
     * @return this
     */
    public SendWorkRequest fetchAndAdd(long address, int rkey, long add) {
        return opcode(WrOpcode.ATOMIC_FETCH_AND_ADD).atomic(address, rkey, add, 0);
    }

    /**
     * Sets where a datagram goes, for UD queue pairs.
     *
     * @param handle the path, null to name none
     * @param remoteQpn the queue pair number there, 0xFFFFFF for a multicast group
     * @param remoteQkey the Q_Key; with bit 31 set the sending queue pair's own goes instead
     * @return this
     */
    public SendWorkRequest destination(AddressHandle handle, int remoteQpn, int remoteQkey) {
        addressHandle = handle;
        notePlain();
        memory.set(JAVA_LONG, SendWrLayout.UD_AH, handle == null ? 0 : handle.handle().nativeAddress());
        memory.set(JAVA_INT, SendWrLayout.UD_REMOTE_QPN, remoteQpn);
        memory.set(JAVA_INT, SendWrLayout.UD_REMOTE_QKEY, remoteQkey);
        return this;
    }

    /**
     * Makes this a BIND_MW of a type 2 window.
     *
     * @param window the window
     * @param rkey the window's new key: its upper 24 bits as they are, the low 8 at will
     * @param bind the range to bind
     * @return this
     */
    public SendWorkRequest bind(MemoryWindow window, int rkey, MwBind bind) {
        Objects.requireNonNull(window, "window");
        bindRegion = bind.region();
        memoryWindow = window;
        memory.set(JAVA_LONG, SendWrLayout.BIND_MW, window.handle().nativeAddress());
        memory.set(JAVA_INT, SendWrLayout.BIND_RKEY, rkey);
        memory.set(JAVA_LONG, SendWrLayout.BIND_MR, bindRegion == null ? 0 : bindRegion.handle().nativeAddress());
        memory.set(JAVA_LONG, SendWrLayout.BIND_ADDR, bind.address());
        memory.set(JAVA_LONG, SendWrLayout.BIND_LENGTH, bind.length());
        memory.set(JAVA_INT, SendWrLayout.BIND_ACCESS, bind.access());
        return opcode(WrOpcode.BIND_MW);
    }

    /**
     * Sets an element to part of a region.
     *
     * @param index the element, from 0; the count is raised to include it
     * @param region the region
     * @param offset where the part starts in it
     * @param length the part's length in bytes, at most 2^32 - 1
     * @return this
     * @throws IndexOutOfBoundsException if the part is not within the region, or there is no such element
     */
    public SendWorkRequest sge(int index, MemoryRegion region, long offset, long length) {
        elements.set(index, region, offset, length);
        return this;
    }

    /**
     * Sets the only element to part of a region.
     *
     * @param region the region
     * @param offset where the part starts in it
     * @param length the part's length in bytes, at most 2^32 - 1
     * @return this
     * @throws IndexOutOfBoundsException if the part is not within the region, or this request has room for no element
     */
    public SendWorkRequest sge(MemoryRegion region, long offset, long length) {
        elements.set(0, region, offset, length);
        elements.count(1);
        return this;
    }

    /**
     * Sets an element from raw values; the device checks them when it executes the request.
     *
     * @param index the element, from 0; the count is raised to include it
     * @param address the address in the region's own terms
     * @param length the length, unsigned
     * @param lkey the region's local key
     * @return this
     */
    public SendWorkRequest sge(int index, long address, int length, int lkey) {
        elements.setRaw(index, address, length, lkey);
        return this;
    }

    /**
     * Sets an element to memory that need not be registered, for requests with {@link SendFlags#INLINE}.
     *
     * @param index the element, from 0; the count is raised to include it
     * @param inlineSource native memory
     * @return this
     */
    public SendWorkRequest sge(int index, MemorySegment inlineSource) {
        elements.setInline(index, inlineSource);
        return this;
    }

    /**
     * Sets how many elements count.
     *
     * @param count 0 to {@link #maxSge()}
     * @return this
     */
    public SendWorkRequest sgeCount(int count) {
        elements.count(count);
        return this;
    }

    /** {@return what names this request in its completion} */
    public long wrId() {
        return memory.get(JAVA_LONG, SendWrLayout.WR_ID);
    }

    /** {@return the operation, UNKNOWN for a number without a name} */
    public WrOpcode opcode() {
        return WrOpcode.of(rawOpcode());
    }

    /** {@return the operation's number} */
    public int rawOpcode() {
        return opcode;
    }

    /** {@return the flags, bits of {@link SendFlags}} */
    public int flags() {
        return memory.get(JAVA_INT, SendWrLayout.SEND_FLAGS);
    }

    /** {@return the request chained behind this one, or null} */
    public SendWorkRequest next() {
        return next;
    }

    /** {@return how many elements fit} */
    public int maxSge() {
        return elements.max();
    }

    /** {@return how many elements count} */
    public int sgeCount() {
        return elements.count();
    }

    /** {@return the request of the chain that starts here at which the last post failed; null if it succeeded} */
    public SendWorkRequest failed() {
        return failed;
    }

    /**
     * {@return the memory, in the layout of {@code ibv_send_wr}, elements behind it: what a device reads; it cannot be written
     * through}
     */
    public MemorySegment memory() {
        return readable;
    }

    /** {@return the address of {@link #memory()}, for devices that hand it to a driver} */
    public long address() {
        return address;
    }

    /** {@return the address of a word in which a driver may leave, during a post, the address of the request that failed} */
    public long badWrAddress() {
        return badWrAddress;
    }

    /**
     * {@return what an element was set from: a {@link MemoryRegion}, a {@link MemorySegment}, or null for raw values}
     *
     * @param index the element
     */
    public Object named(int index) {
        return elements.named(index);
    }

    /** {@return the path of a datagram, or null} */
    public AddressHandle addressHandle() {
        return addressHandle;
    }

    /** {@return the window to bind, or null} */
    public MemoryWindow memoryWindow() {
        return memoryWindow;
    }

    /** {@return the region that the window is to be bound to, or null} */
    public MemoryRegion bindRegion() {
        return bindRegion;
    }

    private void notePlain() {
        plain = next == null && addressHandle == null && Integer.compareUnsigned(opcode, LAST_EVERYDAY) <= 0;
    }

    /**
     * {@return whether this is one request, and no list, of a WRITE, SEND, READ or atomic, with no address handle} The {@code _WITH_IMM}
     * ones are among them, {@link WrOpcode#SEND_WITH_INV} is not. Of what such a request uses, only its elements can be closed.
     */
    public boolean isPlain() {
        return plain;
    }

    /** Refuses a chain that names something closed, before any of it is posted; looks at no more than limit requests. */
    void checkOpen(int limit) {
        if (plain) {
            elements.checkOpen();
        } else {
            checkChainOpen(limit);
        }
    }

    private void checkChainOpen(int limit) {
        SendWorkRequest request = this;
        for (int i = 0; request != null && i < limit; i++, request = request.next) {
            request.elements.checkOpen();
            if (request.addressHandle != null && request.addressHandle.isClosed()) {
                throw new IllegalStateException(request.addressHandle + " is closed");
            }
            if (request.memoryWindow != null && request.opcode == BIND_MW) {
                request.checkBindOpen();
            }
        }
    }

    private void checkBindOpen() {
        if (memoryWindow.isClosed()) {
            throw new IllegalStateException(memoryWindow + " is closed");
        }
        if (bindRegion != null && bindRegion.isClosed()) {
            throw new IllegalStateException(bindRegion + " is closed");
        }
    }

    /** Notes the outcome of a post of the chain that starts here; returns the errno. */
    int posted(long result) {
        if (result == DataPath.POSTED) {
            if (failed != null) {
                failed = null;
            }
            return 0;
        }
        SendWorkRequest request = this;
        for (int i = DataPath.index(result); i > 0; i--) {
            request = request.next;
        }
        failed = request;
        return DataPath.errno(result);
    }

    @Override
    public String toString() {
        WrOpcode opcode = opcode();
        return "send request " + Hex.address(wrId()) + ": "
                + (opcode == WrOpcode.UNKNOWN ? "opcode " + rawOpcode() : opcode)
                + " " + SendFlags.toString(flags()) + " " + elements;
    }
}
