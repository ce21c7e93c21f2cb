package io.jverbs.ibverbs;

import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.ibv_mw;
import io.jverbs.spi.Handle;

/**
 * A handle of the native device: the address of an object of libibverbs, its context, and further state of each kind of
 * object. Any thread may call any method.
 */
abstract sealed class NativeHandle implements Handle {
    private final NativeContext context;
    private final long address;

    NativeHandle(NativeContext context, long address) {
        this.context = context;
        this.address = address;
    }

    /** The context that created this object. */
    final NativeContext context() {
        return context;
    }

    @Override
    public final long nativeAddress() {
        return address;
    }

    static long address(Handle handle) {
        return ((NativeHandle) handle).address;
    }

    static final class Pd extends NativeHandle implements Handle.Pd {
        Pd(NativeContext context, long address) {
            super(context, address);
        }
    }

    /** A memory region. It reads its keys from the struct of the library each time, as re-registration changes them. */
    static final class Mr extends NativeHandle implements Handle.Mr {
        Mr(NativeContext context, long address) {
            super(context, address);
        }

        @Override
        public int lkey() {
            return Fields.lkey(nativeAddress());
        }

        @Override
        public int rkey() {
            return Fields.rkey(nativeAddress());
        }
    }

    /**
     * A memory window. Its new key is written to the struct of the library after a bind: libibverbs leaves that to the
     * program for windows of type 2, and drivers read it.
     */
    static final class Mw extends NativeHandle implements Handle.Mw {
        private volatile int rkey;

        Mw(NativeContext context, long address) {
            super(context, address);
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
        Ah(NativeContext context, long address) {
            super(context, address);
        }
    }

    static final class Channel extends NativeHandle implements Handle.Channel {
        private final EventSource source;

        Channel(NativeContext context, long address, EventSource source) {
            super(context, address);
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

        Eventful(NativeContext context, long address, Object owner) {
            super(context, address);
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
        private int completionEvents;

        Cq(NativeContext context, long address, Object owner, boolean hasChannel, long key) {
            super(context, address, owner);
            this.hasChannel = hasChannel;
            this.key = key;
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
            return Fields.cqe(nativeAddress());
        }

        synchronized void completionEventRetrieved() {
            completionEvents++;
        }

        synchronized int completionEvents() {
            return completionEvents;
        }
    }

    static final class Srq extends Eventful implements Handle.Srq {
        Srq(NativeContext context, long address, Object owner) {
            super(context, address, owner);
        }
    }

    static final class Qp extends Eventful implements Handle.Qp {
        private final int number;
        private final QpType type;
        private final boolean datagram;
        private final long plainAddress;
        private final QpCapabilities capabilities;
        /** The port in the last modify that set one. */
        private volatile int port = 1;
        /** The attributes set since RESET, bits of {@code enum ibv_qp_attr_mask}. */
        private volatile int attributesSet;

        Qp(NativeContext context, long address, Object owner, QpType type, QpCapabilities capabilities) {
            super(context, address, owner);
            this.number = Fields.qpNumber(address);
            this.type = type;
            this.datagram = type == QpType.UD;
            this.plainAddress = datagram ? 0 : address;
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
        long plainAddress() {
            return plainAddress;
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
