package io.jverbs.cm;

import io.jverbs.spi.CmEventData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the events of a device into those of the program, and does what librdmacm does meanwhile: it moves queue pairs
 * to their states, and attaches them to multicast groups.
 */
final class EventConversion {
    private static final Logger LOG = LoggerFactory.getLogger(EventConversion.class);

    private EventConversion() {}

    /** Returns the event that the program gets; null if it gets none. */
    static CmEvent convert(CmEventChannel channel, CmEventData data) {
        CmEventType type = CmEventType.of(data.type());
        if (type == CmEventType.CONNECT_REQUEST) {
            return request(channel, data);
        }
        CmId id = (CmId) data.id().owner();
        // without an owner, its connect request was not retrieved, so the program does not know it
        return id == null ? null : event(type, id, data);
    }

    /** Counts an event as retrieved, if the program knows its ID; returns whether it does. */
    static boolean count(CmEventData data) {
        CmId owner = owner(data);
        if (owner != null) {
            owner.events().retrieved();
        }
        return owner != null;
    }

    /** Acknowledges an event that the program does not get, and rejects a connect request. */
    static void discard(CmEventData data, boolean isCounted) {
        CmId owner = owner(data);
        if (owner != null) {
            if (!isCounted) {
                owner.events().retrieved();
            }
            owner.events().acknowledge("ack_cm_event", 1);
        }
        if (data.listener() != null) {
            // the peer gets a REJ
            data.id().destroy();
        }
    }

    /** Returns the ID that counts an event: the listener for a connect request; null if the program knows none. */
    private static CmId owner(CmEventData data) {
        return (CmId) (data.listener() == null ? data.id() : data.listener()).owner();
    }

    private static CmEvent request(CmEventChannel channel, CmEventData data) {
        CmId listener = (CmId) data.listener().owner();
        CmId child = listener.child(channel, data);
        CmEvent event = new CmEvent(CmEventType.CONNECT_REQUEST, child, listener, data.status(), data);
        channel.add(child);
        return event;
    }

    private static CmEvent event(CmEventType type, CmId id, CmEventData data) {
        CmEvent event = converted(type, id, data);
        if (event != null) {
            id.connected().retrieved(event.type());
        }
        return event;
    }

    private static CmEvent converted(CmEventType type, CmId id, CmEventData data) {
        return switch (type) {
            case CONNECT_RESPONSE -> {
                if (id.queuePair() == null) {
                    yield new CmEvent(type, id, null, data.status(), data);
                }
                RuntimeException failure = failure(id, id.connected()::establish);
                if (failure == null) {
                    yield new CmEvent(CmEventType.ESTABLISHED, id, null, data.status(), data);
                }
                failure(id, id.connected()::stepFailed);
                yield CmEvent.failed(CmEventType.CONNECT_ERROR, id, data, failure);
            }
            case REJECTED, DISCONNECTED -> {
                if (id.connected().hasFailed()) {
                    yield null;
                }
                if (type == CmEventType.REJECTED) {
                    failure(id, id.connected()::fail);
                }
                yield new CmEvent(type, id, null, data.status(), data);
            }
            case MULTICAST_JOIN -> {
                JoinContext join = (JoinContext) data.context();
                RuntimeException failure = failure(id,
                        () -> id.connected().joined(data.address().destination(), join));
                if (join.isLeft) {
                    yield null;
                }
                yield failure == null
                        ? new CmEvent(type, id, null, data.status(), data)
                        : CmEvent.failed(CmEventType.MULTICAST_ERROR, id, data, failure);
            }
            default -> new CmEvent(type, id, null, data.status(), data);
        };
    }

    /** Does a step for the queue pair; returns the exception if it fails, otherwise null. */
    private static RuntimeException failure(CmId id, Runnable step) {
        try {
            step.run();
            return null;
        } catch (RuntimeException e) {
            LOG.warn("A step for the queue pair of {} failed: {}. The program gets an event that says so.", id,
                    e.getMessage());
            return e;
        }
    }
}
