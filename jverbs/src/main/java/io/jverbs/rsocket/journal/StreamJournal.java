package io.jverbs.rsocket.journal;

import io.jverbs.spi.journal.FlightRecording;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * Records the ends of streams, and which transport sockets use, as events of Java Flight Recorder, if this JVM has it
 * and it is in use. Otherwise each call only tests a flag. The methods throw nothing: an event that cannot be recorded
 * is lost. The caller may hold locks. Thread-safe.
 */
public final class StreamJournal {
    private StreamJournal() {}

    /**
     * Records that a stream has ended.
     *
     * @param stream returns what is recorded of it
     * @param reason what has ended it
     * @param failure its failure, null if it has not failed
     */
    public static void ended(Supplier<StreamEnd> stream, Enum<?> reason, Throwable failure) {
        try {
            if (FlightRecording.isOn()) {
                Recorder.ended(stream, reason, failure);
            }
        } catch (RuntimeException | Error e) {
            // no memory or stack for the event, which is lost
        }
    }

    /**
     * Records by what a channel connects.
     *
     * @param remote the address that it connects to
     * @param transport the transport
     * @param rule the rule of the provider
     * @param failure why it does not use RDMA, null if the rule alone has decided
     */
    public static void connects(InetSocketAddress remote, Enum<?> transport, Object rule, Throwable failure) {
        transport(remote, false, transport, rule, failure);
    }

    /**
     * Records by what a channel listens.
     *
     * @param local the address that it listens at
     * @param transport the transport
     * @param rule the rule of the provider
     * @param failure why it does not use RDMA, null if the rule alone has decided
     */
    public static void listens(InetSocketAddress local, Enum<?> transport, Object rule, Throwable failure) {
        transport(local, true, transport, rule, failure);
    }

    private static void transport(InetSocketAddress address, boolean listens, Enum<?> transport, Object rule,
            Throwable failure) {
        try {
            if (FlightRecording.isOn()) {
                Recorder.transport(address, listens, transport, rule, failure);
            }
        } catch (RuntimeException | Error e) {
            // no memory or stack for the event, which is lost
        }
    }

    /** Creates and commits the events. The class is loaded only when Java Flight Recorder is in use. */
    private static final class Recorder {
        private Recorder() {}

        static void ended(Supplier<StreamEnd> stream, Enum<?> reason, Throwable failure) {
            StreamEvent event = new StreamEvent();
            if (event.shouldCommit()) {
                StreamEnd end = stream.get();
                event.device = end.device();
                event.queuePair = end.queuePair();
                event.local = end.local() == null ? null : AddressText.of(end.local());
                event.remote = AddressText.of(end.remote());
                event.accepted = end.isAccepted();
                event.lifetime = end.lifetime();
                event.sentBytes = end.sentBytes();
                event.sentMessages = end.sentMessages();
                event.receivedBytes = end.receivedBytes();
                event.receivedMessages = end.receivedMessages();
                event.waits = end.waits();
                event.reason = reason.name();
                event.explanation = failure == null ? null : failure.getMessage();
                event.commit();
            }
        }

        static void transport(InetSocketAddress address, boolean listens, Enum<?> transport, Object rule,
                Throwable failure) {
            TransportEvent event = new TransportEvent();
            if (event.shouldCommit()) {
                event.address = AddressText.of(address);
                event.listens = listens;
                event.transport = transport.name();
                event.rule = rule.toString();
                event.failure = failure == null ? null : failure.getMessage();
                event.commit();
            }
        }
    }
}
