package io.jverbs.nio;

import io.jverbs.VerbsException;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** An attempt to connect a stream. Thread-safe. */
final class StreamAttempt {
    /** The failures after which TCP may reach the peer. */
    private static final Set<Reason> WITHOUT_RDMA = EnumSet.of(Reason.UNREACHABLE, Reason.REJECTED, Reason.TIMED_OUT,
            Reason.PROTOCOL_ERROR);

    /** How far an attempt is. */
    enum Outcome {
        PENDING,
        ESTABLISHED,
        /** The peer has no RDMA, and TCP is allowed. */
        NO_RDMA
    }

    private final RdmaStream stream;
    private final boolean mayUseTcp;
    /** Why the peer has no RDMA, once that is known. */
    private volatile RdmaStreamException refusal;

    private StreamAttempt(RdmaStream stream, boolean mayUseTcp) {
        this.stream = stream;
        this.mayUseTcp = mayUseTcp;
    }

    /**
     * Begins to connect.
     *
     * @param local the address that the channel is bound to
     * @param mayUseTcp whether TCP takes over if the peer has no RDMA
     */
    static StreamAttempt begin(RdmaStreamOptions options, LocalBinding local, InetSocketAddress remote,
            boolean mayUseTcp) throws IOException {
        try {
            return new StreamAttempt(local.beginConnect(remote, options), mayUseTcp);
        } catch (VerbsException | IllegalStateException e) {
            throw SocketExceptions.connect(e);
        }
    }

    RdmaStream stream() {
        return stream;
    }

    /** Returns why the outcome is NO_RDMA. */
    RdmaStreamException refusal() {
        return refusal;
    }

    /** Returns how far the attempt is; throws why it has failed. */
    Outcome outcome() throws IOException {
        try {
            return stream.finishConnect() ? Outcome.ESTABLISHED : Outcome.PENDING;
        } catch (RdmaStreamException e) {
            if (mayUseTcp && WITHOUT_RDMA.contains(e.reason())) {
                refusal = e;
                return Outcome.NO_RDMA;
            }
            throw SocketExceptions.connect(e);
        } catch (IllegalStateException e) {
            throw SocketExceptions.connect(e);
        }
    }

    /**
     * Waits until the attempt has ended, the thread is interrupted, or something else holds; the program is notified no
     * more.
     *
     * @param deadline the time of {@link System#nanoTime}, if there is a limit
     * @return false after the deadline
     */
    boolean await(BooleanSupplier isCancelled, boolean hasLimit, long deadline) {
        NotifiedThread self = new NotifiedThread();
        while (stream.requestNotification(RdmaStream.WRITABLE, self.renewed()) == 0) {
            if (isCancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                return true;
            }
            if (!self.await(this, hasLimit, deadline)) {
                return false;
            }
        }
        return true;
    }
}
