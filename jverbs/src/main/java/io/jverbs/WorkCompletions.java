package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A reusable array of work completions, {@code struct ibv_wc[]}, in off-heap memory. {@link CompletionQueue#poll} fills
 * it, and getters read its entries by index; see ibv_poll_cq(3). Polling and reading do not allocate. Not thread-safe.
 *
 * <p>
 * If {@link #status(int)} is not {@link WcStatus#SUCCESS}, only {@link #wrId}, {@link #status}, {@link #qpNumber} and
 * {@link #vendorError} of the entry are valid. All getters with an index throw {@link IndexOutOfBoundsException} if the
 * index is negative or not less than {@link #count()}.
 *
 * {@snippet :
 * WorkCompletions completions = WorkCompletions.create(16);
 * int count = cq.poll(completions);
 * for (int i = 0; i < count; i++) {
 *     if (completions.isSuccess(i) && completions.opcode(i) == WcOpcode.RECV) {
 *         handle(completions.wrId(i), completions.byteLength(i));
 *     }
 * }
 * }
 */
public final class WorkCompletions {
    private static final ValueLayout.OfInt BIG_ENDIAN_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int MAX_CAPACITY = 1 << 20;

    private final MemorySegment memory;
    private final long address;
    private final int capacity;
    private int count;

    private WorkCompletions(int capacity) {
        this.capacity = capacity;
        this.memory = Arena.ofAuto().allocate(capacity * WcLayout.SIZE, 64);
        this.address = memory.address();
    }

    /**
     * Creates an array.
     *
     * @param capacity the maximum number of completions, 1 to 1048576
     * @return the array; its memory is freed when the array is no longer reachable
     * @throws IllegalArgumentException if {@code capacity} is out of range
     */
    public static WorkCompletions create(int capacity) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 1.." + MAX_CAPACITY);
        }
        return new WorkCompletions(capacity);
    }

    /** {@return the maximum number of completions} */
    public int capacity() {
        return capacity;
    }

    /** {@return the number of completions that the last poll returned} */
    public int count() {
        return count;
    }

    /** Sets the number of valid entries, after the device has written them. */
    void count(int count) {
        // polling an empty queue must not write: other threads may read objects on the same cache line
        if (this.count != count) {
            this.count = count;
        }
    }

    /**
     * {@return the work request ID}
     *
     * @param index the index of the entry
     */
    public long wrId(int index) {
        return memory.get(JAVA_LONG, at(index) + WcLayout.WR_ID);
    }

    /**
     * {@return the status}
     *
     * @param index the index of the entry
     */
    public WcStatus status(int index) {
        return WcStatus.of(rawStatus(index));
    }

    /**
     * {@return the status as a value of {@code enum ibv_wc_status}; 0 for success}
     *
     * @param index the index of the entry
     */
    public int rawStatus(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.STATUS);
    }

    /**
     * {@return whether the request succeeded}
     *
     * @param index the index of the entry
     */
    public boolean isSuccess(int index) {
        return rawStatus(index) == 0;
    }

    /**
     * {@return the operation of the request}
     *
     * @param index the index of the entry
     */
    public WcOpcode opcode(int index) {
        return WcOpcode.of(rawOpcode(index));
    }

    /**
     * {@return the operation as a value of {@code enum ibv_wc_opcode}; bit 7 marks receive completions}
     *
     * @param index the index of the entry
     */
    public int rawOpcode(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.OPCODE);
    }

    /**
     * {@return the vendor-specific error code; 0 on success}
     *
     * @param index the index of the entry
     */
    public int vendorError(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.VENDOR_ERR);
    }

    /**
     * {@return the number of bytes received or read; 8 for an atomic operation; for a received datagram including the
     * 40 bytes of the GRH area}
     *
     * @param index the index of the entry
     */
    public long byteLength(int index) {
        return Integer.toUnsignedLong(memory.get(JAVA_INT, at(index) + WcLayout.BYTE_LEN));
    }

    /**
     * {@return the immediate data in host byte order; valid if {@link WcFlags#WITH_IMM} is set}
     *
     * @param index the index of the entry
     */
    public int immediate(int index) {
        return memory.get(BIG_ENDIAN_INT, at(index) + WcLayout.IMM_DATA);
    }

    /**
     * {@return the remote key that the peer invalidated; valid if {@link WcFlags#WITH_INV} is set}
     *
     * @param index the index of the entry
     */
    public int invalidatedRkey(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.IMM_DATA);
    }

    /**
     * {@return the queue pair number of the local queue pair}
     *
     * @param index the index of the entry
     */
    public int qpNumber(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.QP_NUM);
    }

    /**
     * {@return the queue pair number of the sender; valid for received datagrams}
     *
     * @param index the index of the entry
     */
    public int sourceQp(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.SRC_QP);
    }

    /**
     * {@return the flags, bits of {@link WcFlags}}
     *
     * @param index the index of the entry
     */
    public int flags(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.WC_FLAGS);
    }

    /**
     * {@return the index of the P_Key in the P_Key table of the port}
     *
     * @param index the index of the entry
     */
    public int pkeyIndex(int index) {
        return Short.toUnsignedInt(memory.get(JAVA_SHORT, at(index) + WcLayout.PKEY_INDEX));
    }

    /**
     * {@return the LID of the sender; 0 on Ethernet}
     *
     * @param index the index of the entry
     */
    public int slid(int index) {
        return Short.toUnsignedInt(memory.get(JAVA_SHORT, at(index) + WcLayout.SLID));
    }

    /**
     * {@return the service level}
     *
     * @param index the index of the entry
     */
    public int serviceLevel(int index) {
        return Byte.toUnsignedInt(memory.get(JAVA_BYTE, at(index) + WcLayout.SL));
    }

    /**
     * {@return the path bits of the destination LID; 0 on Ethernet}
     *
     * @param index the index of the entry
     */
    public int dlidPathBits(int index) {
        return Byte.toUnsignedInt(memory.get(JAVA_BYTE, at(index) + WcLayout.DLID_PATH_BITS));
    }

    /** {@return the memory of the array, {@code struct ibv_wc[]}, for service providers, which write it} */
    public MemorySegment memory() {
        return memory;
    }

    /** {@return the address of {@link #memory()}, for service providers that pass it to a driver} */
    public long address() {
        return address;
    }

    private long at(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("completion " + index + " of " + count);
        }
        return index * WcLayout.SIZE;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(count + " of at most " + capacity + " completions");
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? ": " : ", ").append(Hex.address(wrId(i))).append(' ').append(status(i));
            text.append(" qp ").append(Hex.number(qpNumber(i)));
        }
        return text.toString();
    }
}
