package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.SendWrLayout;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A send work request, {@code struct ibv_send_wr}, with its scatter/gather elements in off-heap memory of its own; see
 * ibv_post_send(3).
 *
 * <p>
 * A request can be prepared once and posted any number of times: posting copies it, so it can be changed or posted
 * again as soon as the post returns. Setters do not allocate. A request holds references to the objects that it names;
 * posting fails with {@link IllegalStateException} if one of them is closed. Not thread-safe: use a request in one
 * thread at a time.
 *
 * {@snippet :
 * SendWorkRequest write = SendWorkRequest.create(1)
 *         .opcode(WrOpcode.RDMA_WRITE).wrId(7)
 *         .sge(source, 0, 4096).remote(remoteAddress, rkey);
 * SendWorkRequest notify = SendWorkRequest.create(0)
 *         .opcode(WrOpcode.SEND_WITH_IMM).flags(SendFlags.SIGNALED).wrId(8).immediate(4096);
 * qp.postSend(write.next(notify));             // one post for both requests
 * }
 */
public final class SendWorkRequest extends WorkRequest {
    /** A copy of the opcode in the memory. */
    private int opcode;
    private SendWorkRequest next;
    private AddressHandle addressHandle;
    private MemoryWindow memoryWindow;
    private MemoryRegion bindRegion;
    /** The result of {@link #isPlain}, so that a post does not compute it. */
    private boolean plain;

    private SendWorkRequest(int maxSge) {
        super(SendWrLayout.SIZE, maxSge);
        opcode(WrOpcode.SEND);
    }

    /**
     * Creates a request: an unsignaled SEND without elements.
     *
     * @param maxSge the maximum number of scatter/gather elements, 0 to 65536
     * @return the request; its memory is freed when the request is no longer reachable
     * @throws IllegalArgumentException if {@code maxSge} is out of range
     */
    public static SendWorkRequest create(int maxSge) {
        return new SendWorkRequest(SgeArray.checkMax(maxSge));
    }

    /**
     * Sets the work request ID, which the completion of this request carries.
     *
     * @param wrId any 64-bit value
     * @return this request
     */
    public SendWorkRequest wrId(long wrId) {
        memory.set(JAVA_LONG, SendWrLayout.WR_ID, wrId);
        return this;
    }

    /**
     * Sets the operation.
     *
     * @param opcode the operation
     * @return this request
     */
    public SendWorkRequest opcode(WrOpcode opcode) {
        return opcode(Objects.requireNonNull(opcode, "opcode").code());
    }

    /**
     * Sets the operation as a number, legal or not: for tests of devices.
     *
     * @param opcode a value of {@code enum ibv_wr_opcode}, or any other; posting an unknown operation fails
     * @return this request
     */
    public SendWorkRequest opcode(int opcode) {
        this.opcode = opcode;
        memory.set(JAVA_INT, SendWrLayout.OPCODE, opcode);
        updatePlain();
        return this;
    }

    /**
     * Sets the flags. Replaces all previous flags.
     *
     * @param flags bits of {@link SendFlags}
     * @return this request
     */
    public SendWorkRequest flags(int flags) {
        memory.set(JAVA_INT, SendWrLayout.SEND_FLAGS, flags);
        return this;
    }

    /**
     * Sets the next request of the chain. Posting a request posts its whole chain.
     *
     * @param next the request to post after this one; null if this is the last request of the chain
     * @return this request
     */
    public SendWorkRequest next(SendWorkRequest next) {
        this.next = next;
        link(next);
        updatePlain();
        return this;
    }

    /**
     * Sets the immediate data, for operations with immediate data.
     *
     * @param immediate 32 bits in host byte order; the peer gets the same value
     * @return this request
     */
    public SendWorkRequest immediate(int immediate) {
        SendWrWriter.immediate(memory, immediate);
        return this;
    }

    /**
     * Sets the remote key to invalidate, for SEND_WITH_INV and LOCAL_INV.
     *
     * @param rkey the remote key of a memory window: of the peer for SEND_WITH_INV, of this side for LOCAL_INV
     * @return this request
     */
    public SendWorkRequest invalidateRkey(int rkey) {
        memory.set(JAVA_INT, SendWrLayout.IMM_DATA, rkey);
        return this;
    }

    /**
     * Sets the remote range of an RDMA WRITE or READ. Its length is the total length of the elements.
     *
     * @param address the remote address
     * @param rkey the remote key
     * @return this request
     */
    public SendWorkRequest remote(long address, int rkey) {
        SendWrWriter.remote(memory, address, rkey);
        if (addressHandle != null) {
            addressHandle = null;
            updatePlain();
        }
        return this;
    }

    /**
     * Sets the operands of an atomic operation. Does not set the operation.
     *
     * @param address the remote address, a multiple of 8
     * @param rkey the remote key
     * @param compareAdd the value to compare with, or the value to add
     * @param swap the value to store if the comparison succeeds
     * @return this request
     */
    public SendWorkRequest atomic(long address, int rkey, long compareAdd, long swap) {
        SendWrWriter.atomic(memory, address, rkey, compareAdd, swap);
        if (addressHandle != null) {
            addressHandle = null;
            updatePlain();
        }
        return this;
    }

    /**
     * Sets the operation to ATOMIC_CMP_AND_SWP: stores {@code swap} in the remote 64-bit word if the word equals {@code
     * compare}. The original value of the word is written to the single element, which must have 8 bytes.
     *
     * @param address the remote address, a multiple of 8
     * @param rkey the remote key
     * @param compare the expected value
     * @param swap the value to store
     * @return this request
     */
    public SendWorkRequest compareAndSwap(long address, int rkey, long compare, long swap) {
        return opcode(WrOpcode.ATOMIC_CMP_AND_SWP).atomic(address, rkey, compare, swap);
    }

    /**
     * Sets the operation to ATOMIC_FETCH_AND_ADD: adds to the remote 64-bit word, modulo 2^64. The original value of
     * the word is written to the single element, which must have 8 bytes.
     *
     * @param address the remote address, a multiple of 8
     * @param rkey the remote key
     * @param add the value to add
     * @return this request
     */
    public SendWorkRequest fetchAndAdd(long address, int rkey, long add) {
        return opcode(WrOpcode.ATOMIC_FETCH_AND_ADD).atomic(address, rkey, add, 0);
    }

    /**
     * Sets the destination of a datagram, for UD queue pairs.
     *
     * @param handle the address handle of the destination; null for none
     * @param remoteQpn the queue pair number of the destination; 0xFFFFFF for a multicast group
     * @param remoteQkey the Q_Key of the datagram; if bit 31 is set, the datagram carries the Q_Key of the sending
     *         queue pair instead
     * @return this request
     */
    public SendWorkRequest destination(AddressHandle handle, int remoteQpn, int remoteQkey) {
        addressHandle = handle;
        updatePlain();
        SendWrWriter.destination(memory, handle, remoteQpn, remoteQkey);
        return this;
    }

    /**
     * Sets the operation to BIND_MW, which binds a type 2 memory window.
     *
     * @param window the window
     * @param rkey the new remote key of the window: its upper 24 bits must be those of {@link MemoryWindow#rkey()}, the
     *         low 8 bits can have any value; see {@link MemoryWindow#incrementRkey}
     * @param bind the range and the access flags
     * @return this request
     */
    public SendWorkRequest bind(MemoryWindow window, int rkey, MwBind bind) {
        Objects.requireNonNull(window, "window");
        bindRegion = Objects.requireNonNull(bind, "bind").region();
        memoryWindow = window;
        SendWrWriter.bind(memory, window, rkey, bind);
        return opcode(WrOpcode.BIND_MW);
    }

    /**
     * Sets an element to a range of a memory region.
     *
     * @param index the index of the element, from 0; {@link #sgeCount()} is increased to include it
     * @param region the memory region
     * @param offset the offset of the range in the region, in bytes
     * @param length the length of the range in bytes, at most 2^32 - 1
     * @return this request
     * @throws IndexOutOfBoundsException if the range is not within the region, or the index is not less than {@link
     *         #maxSge()}
     */
    public SendWorkRequest sge(int index, MemoryRegion region, long offset, long length) {
        elements.set(index, region, offset, length);
        return this;
    }

    /**
     * Sets the only element to a range of a memory region; {@link #sgeCount()} becomes 1.
     *
     * @param region the memory region
     * @param offset the offset of the range in the region, in bytes
     * @param length the length of the range in bytes, at most 2^32 - 1
     * @return this request
     * @throws IndexOutOfBoundsException if the range is not within the region, or {@link #maxSge()} is 0
     */
    public SendWorkRequest sge(MemoryRegion region, long offset, long length) {
        elements.set(0, region, offset, length);
        elements.count(1);
        return this;
    }

    /**
     * Sets an element from raw values. The device checks them when it executes the request.
     *
     * @param index the index of the element, from 0; {@link #sgeCount()} is increased to include it
     * @param address the address of the range: {@link MemoryRegion#address()} of its region plus the offset
     * @param length the length in bytes, unsigned
     * @param lkey the local key of the memory region
     * @return this request
     * @throws IndexOutOfBoundsException if the index is not less than {@link #maxSge()}
     */
    public SendWorkRequest sge(int index, long address, int length, int lkey) {
        elements.setRaw(index, address, length, lkey);
        return this;
    }

    /**
     * Sets an element to memory that does not have to be registered, for requests with {@link SendFlags#INLINE}.
     *
     * @param index the index of the element, from 0; {@link #sgeCount()} is increased to include it
     * @param inlineSource native memory, at most 2^32 - 1 bytes
     * @return this request
     * @throws IllegalArgumentException if the memory is on the heap or too long
     * @throws IndexOutOfBoundsException if the index is not less than {@link #maxSge()}
     */
    public SendWorkRequest sge(int index, MemorySegment inlineSource) {
        elements.setInline(index, inlineSource);
        return this;
    }

    /**
     * Sets the number of elements that are used.
     *
     * @param count the number of elements, 0 to {@link #maxSge()}
     * @return this request
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public SendWorkRequest sgeCount(int count) {
        elements.count(count);
        return this;
    }

    /** {@return the operation; {@link WrOpcode#UNKNOWN} if there is no constant for it} */
    public WrOpcode opcode() {
        return WrOpcode.of(rawOpcode());
    }

    /** {@return the operation as a value of {@code enum ibv_wr_opcode}} */
    public int rawOpcode() {
        return opcode;
    }

    /** {@return the flags, bits of {@link SendFlags}} */
    public int flags() {
        return memory.get(JAVA_INT, SendWrLayout.SEND_FLAGS);
    }

    @Override
    public SendWorkRequest next() {
        return next;
    }

    @Override
    public SendWorkRequest failed() {
        return (SendWorkRequest) super.failed();
    }

    /**
     * {@return the object that an element was set from: a {@link MemoryRegion}, a {@link MemorySegment}, or null for
     * raw values}
     *
     * @param index the index of the element, from 0
     */
    public Object named(int index) {
        return elements.named(index);
    }

    /** {@return the address handle of a datagram, or null} */
    public AddressHandle addressHandle() {
        return addressHandle;
    }

    /** {@return the memory window to bind, or null} */
    public MemoryWindow memoryWindow() {
        return memoryWindow;
    }

    /** {@return the memory region to bind the window to, or null} */
    public MemoryRegion bindRegion() {
        return bindRegion;
    }

    private void updatePlain() {
        plain = next == null && addressHandle == null && Integer.compareUnsigned(opcode, WrOpcode.LAST_PLAIN) <= 0;
    }

    /**
     * {@return whether this is a plain request: a single SEND, RDMA WRITE, RDMA READ or atomic operation without an
     * address handle} The {@code _WITH_IMM} operations are plain; {@link WrOpcode#SEND_WITH_INV} is not. The only
     * objects that a plain request names are those of its elements, so service providers can skip other checks.
     */
    public boolean isPlain() {
        return plain;
    }

    /**
     * Returns whether the objects that the requests of the chain name belong to a context. Throws IllegalStateException
     * if one of them is closed. Checks at most limit requests. Called before any request of the chain is posted.
     */
    boolean check(RdmaContext context, int limit) {
        return plain ? elements.check(context) : SendChain.check(this, context, limit);
    }

    @Override
    public String toString() {
        return "send request " + Hex.address(wrId()) + ": " + WrOpcode.toString(opcode) + " "
                + SendFlags.toString(flags()) + " " + elements;
    }
}
