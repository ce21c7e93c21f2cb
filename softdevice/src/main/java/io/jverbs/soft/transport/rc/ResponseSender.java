package io.jverbs.soft.transport.rc;

import io.jverbs.Access;
import io.jverbs.soft.congestion.PathPacer;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.RcResponderState;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;

/**
 * Sends the responses to READs and atomics of a reliable connection over the wire, for its {@link RcReplier}: limits
 * them, and makes them wait as the congestion control of the path says. Guarded by the responder's lock.
 */
final class ResponseSender {
    private static final int UNREADABLE = -1;
    /** The maximum number of response packets of a burst; a limit, so that other queue pairs get their turn. */
    private static final int BURST = 32;
    /**
     * The longest that a response waits for the congestion control of the path, in nanoseconds. Then one packet is
     * sent: with many queue pairs, and a rate that forged CNPs keep low, ACK timeouts would use up all retries.
     */
    static final long MAX_WAIT_NANOS = 100_000_000;

    private final SoftQp qp;
    private final RcResponderState state;
    private final RcReplier replier;
    private final StatedCredits credits;
    private final QpSettings settings;
    private final PacketNetwork wire;
    private final Message refused = new Message(1);
    private final ResponderResources resources = new ResponderResources();
    private final SgeList source = new SgeList(1);
    private final ReadResponseLimit readLimit = new ReadResponseLimit();
    private final Runnable resume;
    /** Whether a timer is set for the time at which the limit permits more responses, and the time. */
    private boolean waitsForLimit;
    private long limitEndsAt;
    /** Whether a timer is set for the end of a pause, and the time. */
    private boolean waitsForPause;
    private long pauseEndsAt;
    /** How long responses have to wait for the congestion control of the path, 0 if they need not wait. */
    private long pause;
    /** The number of response packets that the congestion control of the path has reserved time for. */
    private int reserved;
    /** The ticket of the reservation, and its time. */
    private long ticket;
    private long reservedAt;
    /** The path to the peer; null if the connection is not over the wire. */
    private Route route;

    ResponseSender(SoftQp qp, RcResponderState state, RcReplier replier, StatedCredits credits) {
        this.qp = qp;
        this.state = state;
        this.replier = replier;
        this.credits = credits;
        this.settings = qp.settings();
        this.wire = qp.environment().wire();
        this.resume = () -> qp.responder().resumeResponses();
    }

    /** Sets the path to the peer, null if there is none, and reserves room for the peer's READs and atomics. */
    void route(Route to) {
        giveBack(0);
        route = to;
        if (to != null) {
            resources.reserve(settings.maxDestRdAtomic);
        }
    }

    void clear() {
        giveBack(0);
        resources.clear();
        readLimit.clear();
    }

    /** Whether no response is due. */
    boolean isEmpty() {
        return resources.isEmpty();
    }

    /** The number of READs and atomics whose responses were not sent completely. */
    int unsent() {
        return resources.unsent();
    }

    /** Records that a new request arrived, which shows that the peer is alive. */
    void requestArrived() {
        readLimit.requestArrived();
    }

    /** Records a READ, whose response has a number of packets. */
    void read(PacketView packet, int packets, int msn) {
        resources.addRead(packet.psn(), packets, packet.remoteAddress(), packet.rkey(), packet.dmaLength(), msn);
    }

    /** Records an atomic that was executed; the response carries the original value of its word. */
    void atomic(PacketView packet, long original, int msn) {
        resources.addAtomic(packet.psn(), original, msn);
    }

    /** Responds again to a duplicate READ or atomic: its response was lost or is late. */
    void repeat(PacketView packet, int what) {
        int slot = resources.find(packet.psn());
        if (slot < 0 || resources.isAtomic(slot) != (what == WireOpcode.KIND_ATOMIC)) {
            return;
        }
        if (what == WireOpcode.KIND_ATOMIC) {
            resources.addAgain(slot, 0, 1, 0);
        } else if (what == WireOpcode.KIND_READ_REQUEST) {
            repeatRead(packet, slot);
        }
    }

    /**
     * Responds again to a duplicate READ, if it names the same memory at that PSN, with the same key; otherwise there
     * is no response.
     */
    private void repeatRead(PacketView packet, int slot) {
        int from = Psns.difference(packet.psn(), resources.psn(slot));
        long skipped = (long) from * settings.pathMtu;
        long wanted = packet.dmaLength();
        boolean within = packet.rkey() == resources.rkey(slot)
                && packet.remoteAddress() == resources.value(slot) + skipped
                && wanted <= resources.length(slot) - skipped;
        if (within) {
            readLimit.readRepeated(qp.environment().timers().nanoTime());
            resources.addAgain(slot, from, from + Message.packets(wanted, settings.pathMtu), skipped + wanted);
        }
    }

    /**
     * Whether the responses that remain wait for a timer, which this method starts; otherwise they wait for the next
     * turn.
     */
    boolean waitsForTimer() {
        if (readLimit.admits() && pause == 0) {
            return false;
        }
        scheduleResume();
        return true;
    }

    /**
     * Sets a timer for the time at which the next responses may be sent: after the pause, or although no request
     * arrives from the peer. The one for the latter may be set before a pause, and expire after it.
     */
    private void scheduleResume() {
        Timers timers = qp.environment().timers();
        long now = timers.nanoTime();
        if (pause > 0 && !waitsForPause) {
            timers.set(pause, resume);
            pauseEndsAt = now + pause;
            waitsForPause = true;
        } else if (pause == 0 && !waitsForLimit) {
            long delay = route.window().silentPeerRate().reserve(now, ReadResponseLimit.PORTION);
            timers.set(delay, resume);
            limitEndsAt = now + delay;
            waitsForLimit = true;
        }
    }

    /** Permits more responses, after a timer has expired. */
    void resume() {
        long now = qp.environment().timers().nanoTime();
        if (waitsForLimit && now - limitEndsAt >= 0) {
            readLimit.granted();
            waitsForLimit = false;
        }
        if (waitsForPause && now - pauseEndsAt >= 0) {
            waitsForPause = false;
        }
    }

    /** Reserves time for a number of response packets, unless that was done; returns how many may be sent now. */
    private int reserve(PathPacer pacer, int wanted) {
        long now = qp.environment().timers().nanoTime();
        if (reserved == 0) {
            int packets = pacer.packetsAtOnce(resources.packetsDue(wanted));
            ticket = pacer.reserveResponses(now, packets, settings.pathMtu);
            reserved = packets;
            reservedAt = now;
        }
        pause = pacer.pause(ticket, now);
        if (pause > 0 && now - reservedAt >= MAX_WAIT_NANOS) {
            pause = 0;
            return 1;
        }
        return pause > 0 ? 0 : Math.min(wanted, reserved);
    }

    /** Ends the reservation, of which a number of packets were used. */
    private void giveBack(int used) {
        // after an Error, the next call gives back the rest
        reserved = Math.max(0, reserved - used);
        if (reserved > 0) {
            route.window().pacer().returnResponses(qp.environment().timers().nanoTime(), reserved, settings.pathMtu);
            reserved = 0;
        }
    }

    private int syndrome(int slot) {
        return resources.isRepeat(slot) ? credits.syndromeOfRepeat() : credits.syndrome(resources.msn(slot));
    }

    /** Sends as many READ and atomic responses as the turn and the limit permit; returns false if some remain. */
    boolean send(Outbox turn) {
        if (resources.isEmpty()) {
            return true;
        }
        int budget = Math.min(BURST, turn.left());
        pause = 0;
        if (budget <= 0 || !readLimit.admits()) {
            return false;
        }
        PathPacer pacer = route.window().pacer();
        if (pacer != null) {
            budget = reserve(pacer, budget);
            if (budget == 0) {
                return false;
            }
        }
        int left = budget;
        SendBuffer out = wire.acquire();
        try {
            for (; left > 0 && !resources.isEmpty() && readLimit.admits(); left--) {
                turn.countResponse();
                int slot = resources.current();
                int payload = 0;
                if (resources.isAtomic(slot)) {
                    replier.begin(out, WireOpcode.ATOMIC_ACKNOWLEDGE, resources.psn(slot), 0)
                            .aeth(syndrome(slot), resources.msn(slot))
                            .atomicAckEth(resources.value(slot));
                } else {
                    payload = writeResponse(out, slot);
                    if (payload == UNREADABLE) {
                        nakRead(out, slot);
                        continue;
                    }
                }
                wire.send(out, route);
                state.sent().packet(payload);
                readLimit.sent(payload);
                resources.packetSent();
            }
        } finally {
            try {
                wire.release(out);
            } finally {
                giveBack(budget - left);
            }
        }
        return resources.isEmpty();
    }

    /**
     * Refuses a READ whose memory may not be read any more with a remote access error NAK. If the response was already
     * sent completely before, only the repetition is refused, and the queue pair does not fail.
     */
    private void nakRead(SendBuffer out, int slot) {
        int psn = Psns.add(resources.psn(slot), resources.next(slot));
        boolean isRepeat = resources.isRepeat(slot);
        if (isRepeat) {
            qp.count(Counter.SENT_NAK_ACCESS);
            resources.skip();
        } else {
            state.failWithNak(refused, Message.NAK_REMOTE_ACCESS_ERROR);
            resources.clear();
        }
        replier.nakRead(out, psn, !isRepeat);
    }

    /**
     * Writes the next packet of a READ response. Returns the length of its payload, or {@link #UNREADABLE} if the
     * memory may not be read any more.
     */
    private int writeResponse(SendBuffer out, int slot) {
        int index = resources.next(slot);
        long from = (long) index * settings.pathMtu;
        int payload = (int) Math.min(settings.pathMtu, resources.endBytes(slot) - from);
        boolean first = resources.begins(slot);
        boolean last = resources.ends(slot);
        PacketEncoder encoder = replier.begin(out, WireOpcode.readResponsePart(first, last),
                Psns.add(resources.psn(slot), index), payload);
        if (first || last) {
            encoder.aeth(syndrome(slot), resources.msn(slot));
        }
        if (payload == 0) {
            return 0;
        }
        long at = resources.value(slot) + from;
        KeyEntry entry = state.remoteAccess().checkRkey(resources.rkey(slot), at, payload, Access.REMOTE_READ);
        if (entry == null) {
            return UNREADABLE;
        }
        try {
            source.set(entry, at, payload);
            Copier.gather(source, 0, out.buffer().segment(), encoder.payloadOffset(), payload);
            return payload;
        } catch (IllegalStateException | InternalError e) {
            qp.noteLostMemory(e);
            return UNREADABLE;
        }
    }
}
