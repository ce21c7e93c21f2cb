package io.jverbs.spi;

import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An event channel of a layer: it passes each call to the channel below. {@link #wrap} puts an object of the layer in
 * front of each ID. Thread-safe if the channel below is.
 */
public abstract class ForwardingCmChannel implements CmChannelOps {
    private final CmChannelOps inner;
    /** A connect request that was retrieved, but could not be passed on, for lack of memory or stack; null if none. */
    private final AtomicReference<CmEventData> kept = new AtomicReference<>();

    /**
     * Puts this channel in front of another one.
     *
     * @param inner the channel below
     */
    protected ForwardingCmChannel(CmChannelOps inner) {
        this.inner = Objects.requireNonNull(inner, "inner");
    }

    /** {@return the channel below} */
    protected final CmChannelOps inner() {
        return inner;
    }

    /**
     * Puts an object of the layer in front of an ID.
     *
     * @param id the ID of the device, or of the layer below
     * @param isRequested whether a connect request has created it
     * @return the ID that the API gets
     */
    protected abstract Id wrap(CmIdOps id, boolean isRequested);

    @Override
    public CmIdOps createId(int portSpace, int qpType, Object owner) {
        CmIdOps id = inner.createId(portSpace, qpType, owner);
        try {
            return wrap(id, false);
        } catch (RuntimeException | Error e) {
            id.destroy();
            throw e;
        }
    }

    @Override
    public CmEventData await(long nanos) throws InterruptedException {
        CmEventData waiting = kept.getAndSet(null);
        CmEventData event = waiting == null ? inner.await(nanos) : waiting;
        if (event == null || event.listener() == null) {
            return event;
        }
        try {
            return new CmEventData(event.type(), wrap(event.id(), true), event.listener(), event.status(),
                    event.parameters(), event.address(), event.context());
        } catch (RuntimeException | Error e) {
            kept.set(event);
            throw e;
        }
    }

    @Override
    public void wake() {
        inner.wake();
    }

    @Override
    public void close() {
        inner.close();
    }

    /** A CM ID of a layer: it passes each call to the ID below. Thread-safe if that is. */
    public abstract static class Id implements CmIdOps {
        private final CmIdOps inner;

        /**
         * Puts this ID in front of another one.
         *
         * @param inner the ID below
         */
        protected Id(CmIdOps inner) {
            this.inner = Objects.requireNonNull(inner, "inner");
        }

        /** {@return the ID below} */
        protected final CmIdOps inner() {
            return inner;
        }

        @Override
        public Object owner() {
            return inner.owner();
        }

        @Override
        public void owner(Object owner) {
            inner.owner(owner);
        }

        @Override
        public void bind(InetSocketAddress address) {
            inner.bind(address);
        }

        @Override
        public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long nanos) {
            inner.resolveAddress(source, destination, nanos);
        }

        @Override
        public void resolveRoute(long nanos) {
            inner.resolveRoute(nanos);
        }

        @Override
        public void listen(int backlog) {
            inner.listen(backlog);
        }

        @Override
        public void connect(CmParameters parameters) {
            inner.connect(parameters);
        }

        @Override
        public void accept(CmParameters parameters) {
            inner.accept(parameters);
        }

        @Override
        public void checkAccept(CmParameters parameters) {
            inner.checkAccept(parameters);
        }

        @Override
        public void reject(int reason, byte[] privateData) {
            inner.reject(reason, privateData);
        }

        @Override
        public void establish() {
            inner.establish();
        }

        @Override
        public void notify(int event) {
            inner.notify(event);
        }

        @Override
        public void checkDisconnect() {
            inner.checkDisconnect();
        }

        @Override
        public void disconnect() {
            inner.disconnect();
        }

        @Override
        public QpAttributes qpAttributes(QpState state) {
            return inner.qpAttributes(state);
        }

        @Override
        public void join(InetSocketAddress group, boolean sendOnly, Object context) {
            inner.join(group, sendOnly, context);
        }

        @Override
        public Object leave(InetSocketAddress group) {
            return inner.leave(group);
        }

        @Override
        public void option(int option, int value) {
            inner.option(option, value);
        }

        @Override
        public void localEce(Ece ece) {
            inner.localEce(ece);
        }

        @Override
        public Ece remoteEce() {
            return inner.remoteEce();
        }

        @Override
        public void postUserEvent(int status, long argument) {
            inner.postUserEvent(status, argument);
        }

        /** {@inheritDoc} The channel is one of the same layer. */
        @Override
        public int migrate(CmChannelOps channel) {
            return inner.migrate(((ForwardingCmChannel) channel).inner());
        }

        @Override
        public Route route() {
            return inner.route();
        }

        @Override
        public int destroy() {
            return inner.destroy();
        }

        @Override
        public boolean isLogged() {
            return inner.isLogged();
        }
    }
}
