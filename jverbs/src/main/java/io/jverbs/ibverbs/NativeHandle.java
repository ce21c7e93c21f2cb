package io.jverbs.ibverbs;

import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.ibv_mw;
import io.jverbs.ibverbs.shared.ControlLock;
import io.jverbs.ibverbs.shared.EventSource;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.Handle;
import java.lang.foreign.Arena;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.LongToIntFunction;

/**
 * A handle of the native device: the address of an object of libibverbs, the lock for control path calls that use it,
 * and further state of each kind of object. Any thread may call any method.
 */
abstract sealed class NativeHandle implements Handle {
    private final long address;
    private final ControlLock controlLock = new ControlLock();

    NativeHandle(long address) {
        this.address = address;
    }

    /**
     * Returns an arena for the attributes of an object that is created. The garbage collector frees its memory. If an
     * arena were closed after the creation instead, an Error in its close would leave an object without a handle.
     */
    static Arena arenaForCreation() {
        return Arena.ofAuto();
    }

    /**
     * Creates an object of libibverbs and its handle. If the handle cannot be made, for instance without memory, the
     * object is destroyed.
     *
     * @param creation calls the verb; returns the address of the object, or -errno
     * @param maker makes the handle of an address; throws the exception of -errno
     * @param destruction calls the verb that destroys the object at an address
     */
    static <H extends NativeHandle> H create(LongSupplier creation, LongFunction<H> maker,
            LongToIntFunction destruction) {
        long address = creation.getAsLong();
        H handle = null;
        try {
            handle = maker.apply(address);
            return handle;
        } finally {
            // not in a catch clause, for which the JVM may have to load the class of the exception first
            if (handle == null && !Failure.isErrno(address)) {
                destruction.applyAsInt(address);
            }
        }
    }

    /**
     * Destroys the object of a handle when no call uses it. Has no effect if it is destroyed already.
     *
     * @param destruction calls the verb that destroys the object at an address
     * @return 0 or the errno
     */
    static int destroy(Handle handle, LongToIntFunction destruction) {
        long address = address(handle);
        return controlLock(handle).destroy(() -> destruction.applyAsInt(address));
    }

    static ControlLock controlLock(Handle handle) {
        return ((NativeHandle) handle).controlLock;
    }

    @Override
    public final long nativeAddress() {
        return address;
    }

    static long address(Handle handle) {
        return ((NativeHandle) handle).address;
    }

    static final class Pd extends NativeHandle implements Handle.Pd {
        Pd(long address) {
            super(address);
        }
    }

    /** A memory region. It keeps copies of its keys, because the struct of the library is freed with the region. */
    static final class Mr extends NativeHandle implements Handle.Mr {
        private volatile int lkey;
        private volatile int rkey;

        Mr(long address) {
            super(address);
            readKeys();
        }

        /** Copies the keys from the struct, after the registration and after each re-registration. */
        final void readKeys() {
            lkey = Fields.lkey(nativeAddress());
            rkey = Fields.rkey(nativeAddress());
        }

        @Override
        public int lkey() {
            return lkey;
        }

        @Override
        public int rkey() {
            return rkey;
        }
    }

    /**
     * A memory window. Its new key is written to the struct of the library after a bind: libibverbs leaves that to the
     * program for windows of type 2, and drivers read it.
     */
    static final class Mw extends NativeHandle implements Handle.Mw {
        private volatile int rkey;

        Mw(long address) {
            super(address);
            rkey = Fields.mwRkey(address);
        }

        @Override
        public int rkey() {
            return rkey;
        }

        void rkey(int changed) {
            NativeMemory.putInt(nativeAddress() + ibv_mw.rkey$offset(), changed);
            rkey = changed;
        }
    }

    static final class Ah extends NativeHandle implements Handle.Ah {
        Ah(long address) {
            super(address);
        }
    }

    static final class Channel extends NativeHandle implements Handle.Channel {
        private final EventSource source;

        Channel(long address, EventSource source) {
            super(address);
            this.source = source;
        }

        EventSource source() {
            return source;
        }
    }

    /**
     * An object that can have events. It counts the asynchronous events that the program has retrieved; its monitor
     * guards the count.
     */
    abstract static sealed class Eventful extends NativeHandle {
        private final Object owner;
        private int asyncEvents;

        Eventful(long address, Object owner) {
            super(address);
            this.owner = owner;
        }

        final Object owner() {
            return owner;
        }

        final synchronized void asyncEventRetrieved() {
            asyncEvents++;
        }

        final synchronized int asyncEvents() {
            return asyncEvents;
        }
    }

    static final class Cq extends Eventful implements Handle.Cq {
        private final boolean hasChannel;
        private final long key;
        /** A copy of the number of entries: the struct of the library is freed with the queue. */
        private volatile int cqe;
        private int completionEvents;

        Cq(long address, Object owner, boolean hasChannel, long key) {
            super(address, owner);
            this.hasChannel = hasChannel;
            this.key = key;
            readCqe();
        }

        /** Copies the number of entries from the struct, after the creation and after each resize. */
        void readCqe() {
            cqe = Fields.cqe(nativeAddress());
        }

        /** The key of this queue in its completion events. */
        long key() {
            return key;
        }

        boolean hasChannel() {
            return hasChannel;
        }

        @Override
        public int cqe() {
            return cqe;
        }

        synchronized void completionEventRetrieved() {
            completionEvents++;
        }

        synchronized int completionEvents() {
            return completionEvents;
        }
    }

    static final class Srq extends Eventful implements Handle.Srq {
        Srq(long address, Object owner) {
            super(address, owner);
        }
    }

    static final class Qp extends Eventful implements Handle.Qp {
        private final int number;
        private final QpType type;
        private final boolean datagram;
        private final long uncheckedAddress;
        private final QpCapabilities capabilities;
        /** The port in the last modify that set one. */
        private volatile int port = 1;
        /** The attributes set since RESET, bits of {@code enum ibv_qp_attr_mask}. */
        private volatile int attributesSet;

        Qp(long address, Object owner, QpType type, QpCapabilities capabilities) {
            super(address, owner);
            this.number = Fields.qpNumber(address);
            this.type = type;
            this.datagram = type == QpType.UD;
            this.uncheckedAddress = datagram ? 0 : address;
            this.capabilities = capabilities;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public QpCapabilities capabilities() {
            return capabilities;
        }

        QpType type() {
            return type;
        }

        /** Whether each send request must name an address handle. */
        boolean datagram() {
            return datagram;
        }

        /** The address for posts that need no check; 0 if each send request must name an address handle. */
        long uncheckedAddress() {
            return uncheckedAddress;
        }

        int port() {
            return port;
        }

        int attributesSet() {
            return attributesSet;
        }

        void modified(int newAttributesSet, int newPort) {
            attributesSet = newAttributesSet;
            port = newPort;
        }
    }
}
