package io.jverbs.ibverbs;

import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.ibv_mw;
import io.jverbs.spi.Handle;

/** What the native device gives the API: addresses of libibverbs' objects, with what must be known besides. */
abstract sealed class NativeHandle implements Handle {
    private final NativeContext context;
    private final long address;

    NativeHandle(NativeContext context, long address) {
        this.context = context;
        this.address = address;
    }

    /** The context that made this object. */
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

    /** The library's struct is read each time: re-registration changes the keys. */
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

    /** Its key is written back: libibverbs leaves that to the program when a type 2 window is bound, and drivers read it. */
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

    /** An object that events can concern; counts those that the program was given. */
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

        /** What names this queue in its events. */
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
        /** The port of the last modify that named one, and the attributes given since RESET; see {@link QueuePairs}. */
        private volatile int port = 1;
        private volatile int given;

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

        /** Whether requests must name an address handle. */
        boolean datagram() {
            return datagram;
        }

        /** Where requests go that name nothing but their elements; 0 if each must name an address handle. */
        long plainAddress() {
            return plainAddress;
        }

        int port() {
            return port;
        }

        int given() {
            return given;
        }

        void modified(int nowGiven, int nowPort) {
            given = nowGiven;
            port = nowPort;
        }
    }
}
