package io.jverbs.spi;

import io.jverbs.Psn;
import io.jverbs.QpCapabilities;
import java.lang.foreign.MemorySegment;

/**
 * An object that a device has created, as the API holds it. The API and layers store handles and pass them to the
 * device; only the device that created one knows its class. A layer passes the handles of the device on unchanged.
 *
 * <p>
 * Layers use the handles of regions, windows, channels, queues and queue pairs as map keys: these must not be equal to
 * each other. The methods of a handle may be called by any thread.
 */
public interface Handle {

    /**
     * {@return the address of the native object, for instance a {@code struct ibv_ah}, or 0 if there is none} The API
     * writes it into the pointer fields of work requests.
     */
    default long nativeAddress() {
        return 0L;
    }

    /** A protection domain. */
    interface Pd extends Handle {
        /**
         * {@return the address by which requests name the first byte of memory that the program registers in this
         * domain without an address of its own} It is the address of the memory itself, except on a device whose runs
         * must be repeatable. The API calls this once for each registration.
         *
         * @param segment the memory
         */
        default long addressOf(MemorySegment segment) {
            return segment.address();
        }
    }

    /** A memory region. Its keys may change when it is re-registered. */
    interface Mr extends Handle {
        /** {@return the local key} */
        int lkey();

        /** {@return the remote key} */
        int rkey();
    }

    /** A memory window. */
    interface Mw extends Handle {
        /** {@return the remote key that the last bind on this side set; before a bind, that of the allocation} */
        int rkey();
    }

    /** A completion channel. */
    interface Channel extends Handle {}

    /** A completion queue. */
    interface Cq extends Handle {
        /** {@return the number of completions that the queue can hold; it changes with a resize} */
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

        /** {@return the sizes granted at creation, at least those requested} */
        QpCapabilities capabilities();

        /**
         * {@return the initial PSN of the queue pair if the program does not choose one, 24 bits} It is a random
         * number, except on a device whose runs must be repeatable.
         */
        default int firstPsn() {
            return Psn.random();
        }
    }
}
