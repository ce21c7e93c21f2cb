package io.jverbs.spi;

import io.jverbs.Psn;
import io.jverbs.QpCapabilities;
import java.lang.foreign.MemorySegment;

/**
 * What a device gives back for an object it made. The API keeps handles and passes them on; only the device that made
 * one looks inside. A wrapping provider hands the inner device's handles through unchanged.
 */
public interface Handle {

    /**
     * {@return the address of the native object ({@code struct ibv_ah *} and the like), or 0 where there is none} The API
     * writes it into the pointer fields of work requests.
     */
    default long nativeAddress() {
        return 0L;
    }

    /** A protection domain. */
    interface Pd extends Handle {
        /**
         * {@return the address by which requests shall name the first byte of memory that is registered in this domain without one of
         * the program's choice} The memory's own, except where runs must repeat.
         *
         * @param segment the memory
         */
        default long addressOf(MemorySegment segment) {
            return segment.address();
        }
    }

    /** A memory region. Keys may change on re-registration. */
    interface Mr extends Handle {
        /** {@return the local key} */
        int lkey();

        /** {@return the remote key} */
        int rkey();
    }

    /** A memory window. */
    interface Mw extends Handle {
        /** {@return the remote key as of the last bind by this side} */
        int rkey();
    }

    /** A completion channel. */
    interface Channel extends Handle {}

    /** A completion queue. */
    interface Cq extends Handle {
        /** {@return the number of completions it can hold} */
        int cqe();
    }

    /** A shared receive queue. */
    interface Srq extends Handle {}

    /** An address handle. */
    interface Ah extends Handle {}

    /** A queue pair. */
    interface Qp extends Handle {
        /** {@return the queue pair number, 24 bits} */
        int number();

        /** {@return the sizes granted at creation} */
        QpCapabilities capabilities();

        /** {@return where the queue pair begins to count unless the program says} A random number, except where runs must repeat. */
        default int firstPsn() {
            return Psn.random();
        }
    }
}
