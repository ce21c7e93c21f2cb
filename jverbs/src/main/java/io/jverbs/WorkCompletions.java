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
 * A reusable array of work completions: {@code struct ibv_wc[]}, filled by {@link CompletionQueue#poll} and read by index;
 * see ibv_poll_cq(3). Neither allocates. For one thread at a time.
 *
 * <p>
 * When {@link #status(int)} is not SUCCESS only {@link #wrId}, {@link #status}, {@link #qpNumber} and {@link #vendorError}
 * mean anything. Every getter throws {@link IndexOutOfBoundsException} for an index outside 0..{@link #count()}-1.
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
     * Makes an array.
     *
     * @param capacity how many completions it can hold, 1 to 1048576
     * @return the array, whose memory lives as long as it is reachable
     */
    public static WorkCompletions create(int capacity) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("capacity " + capacity + " is outside 1.." + MAX_CAPACITY);
        }
        return new WorkCompletions(capacity);
    }

    /** {@return how many completions fit} */
    public int capacity() {
        return capacity;
    }

    /** {@return how many completions the last poll put here} */
    public int count() {
        return count;
    }

    /** Sets the number of valid entries after the device has written them. */
    void count(int count) {
        // a thread that polls an empty queue writes nothing: other threads may read what lies beside this object
        if (this.count != count) {
            this.count = count;
        }
    }

    /**
     * {@return what the request was named by}
     *
     * @param index the entry
     */
    public long wrId(int index) {
        return memory.get(JAVA_LONG, at(index) + WcLayout.WR_ID);
    }

    /**
     * {@return the outcome}
     *
     * @param index the entry
     */
    public WcStatus status(int index) {
        return WcStatus.of(rawStatus(index));
    }

    /**
     * {@return the outcome's number, 0 for success}
     *
     * @param index the entry
     */
    public int rawStatus(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.STATUS);
    }

    /**
     * {@return whether the request succeeded}
     *
     * @param index the entry
     */
    public boolean isSuccess(int index) {
        return rawStatus(index) == 0;
    }

    /**
     * {@return the operation that completed}
     *
     * @param index the entry
     */
    public WcOpcode opcode(int index) {
        return WcOpcode.of(rawOpcode(index));
    }

    /**
     * {@return the operation's number; bit 7 marks the receive side}
     *
     * @param index the entry
     */
    public int rawOpcode(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.OPCODE);
    }

    /**
     * {@return the device's own error code, 0 on success}
     *
     * @param index the entry
     */
    public int vendorError(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.VENDOR_ERR);
    }

    /**
     * {@return the bytes received, read or, with an atomic, 8; a datagram counts its 40 bytes of GRH area}
     *
     * @param index the entry
     */
    public long byteLength(int index) {
        return Integer.toUnsignedLong(memory.get(JAVA_INT, at(index) + WcLayout.BYTE_LEN));
    }

    /**
     * {@return the immediate data in host order, valid with {@link WcFlags#WITH_IMM}}
     *
     * @param index the entry
     */
    public int immediate(int index) {
        return memory.get(BIG_ENDIAN_INT, at(index) + WcLayout.IMM_DATA);
    }

    /**
     * {@return the key that the peer invalidated, valid with {@link WcFlags#WITH_INV}}
     *
     * @param index the entry
     */
    public int invalidatedRkey(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.IMM_DATA);
    }

    /**
     * {@return the number of the local queue pair}
     *
     * @param index the entry
     */
    public int qpNumber(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.QP_NUM);
    }

    /**
     * {@return the number of the sender's queue pair, for datagrams}
     *
     * @param index the entry
     */
    public int sourceQp(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.SRC_QP);
    }

    /**
     * {@return bits of {@link WcFlags}}
     *
     * @param index the entry
     */
    public int flags(int index) {
        return memory.get(JAVA_INT, at(index) + WcLayout.WC_FLAGS);
    }

    /**
     * {@return the place of the P_Key in the port's table}
     *
     * @param index the entry
     */
    public int pkeyIndex(int index) {
        return Short.toUnsignedInt(memory.get(JAVA_SHORT, at(index) + WcLayout.PKEY_INDEX));
    }

    /**
     * {@return the sender's LID, 0 on Ethernet}
     *
     * @param index the entry
     */
    public int slid(int index) {
        return Short.toUnsignedInt(memory.get(JAVA_SHORT, at(index) + WcLayout.SLID));
    }

    /**
     * {@return the service level}
     *
     * @param index the entry
     */
    public int serviceLevel(int index) {
        return Byte.toUnsignedInt(memory.get(JAVA_BYTE, at(index) + WcLayout.SL));
    }

    /**
     * {@return the path bits of the destination LID, 0 on Ethernet}
     *
     * @param index the entry
     */
    public int dlidPathBits(int index) {
        return Byte.toUnsignedInt(memory.get(JAVA_BYTE, at(index) + WcLayout.DLID_PATH_BITS));
    }

    /** {@return the memory, in the layout of {@code ibv_wc[]}: where a device writes} */
    public MemorySegment memory() {
        return memory;
    }

    /** {@return the address of {@link #memory()}, for devices that hand it to a driver} */
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
