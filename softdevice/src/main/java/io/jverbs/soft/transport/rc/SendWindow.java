package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.SendRing;

/**
 * The send window of a reliable connection in terms of PSNs: which requests have PSNs, which packet is sent next, and
 * which packet is the oldest that is not acknowledged. A request gets its PSNs when it is started and keeps them when
 * its packets are sent again. The <em>current</em> request is the one whose packets are sent next. Guarded by the
 * requester's lock.
 */
final class SendWindow {
    /** In place of a position: there is no such request. */
    static final long NONE = -1;

    private final SendRing ring;
    private final int[] firstPsns;
    private final int[] packetCounts;
    /** The number of messages that were started before each request, as the peer counts them in its MSN. */
    private final int[] messagesBefore;
    /** The number of those that take a receive request. */
    private final int[] receivesBefore;
    private final int mask;
    /** The current request, as a position in the ring. */
    private long next;
    /** The number of packets of the current request that have been sent. */
    private int sent;
    /** The requests before this position have PSNs. */
    private long started;
    private int nextPsn;
    /** The PSN after the last one of all packets that were sent, before going back or after. */
    private int sentEnd;
    /** The oldest PSN that is not acknowledged. */
    private int unacknowledged;
    /** The number of READ and atomic request packets that were sent and whose responses are outstanding. */
    private int outstandingReads;
    /** The number of response packets that are outstanding. */
    private int outstandingResponses;
    /**
     * The number of response packets that each request packet of a READ requests. The last request packet may request
     * fewer.
     */
    private int packetsPerReadRequest = 1;
    private final CreditLimit creditLimit = new CreditLimit();
    /** The number of messages that were started. Each request packet of a READ is one. */
    private int messages;
    /** The number of those that take a receive request. */
    private int receives;

    SendWindow(SendRing ring) {
        this.ring = ring;
        int slots = ring.slots();
        this.firstPsns = new int[slots];
        this.packetCounts = new int[slots];
        this.messagesBefore = new int[slots];
        this.receivesBefore = new int[slots];
        this.mask = slots - 1;
    }

    void clear() {
        next = ring.first();
        started = next;
        sent = 0;
        outstandingReads = 0;
        outstandingResponses = 0;
        creditLimit.remove();
        messages = 0;
        receives = 0;
    }

    /**
     * Sets the number of response packets that each request packet of a READ requests. Not called while requests are in
     * flight, because a repeated request must be within an earlier one.
     */
    void packetsPerReadRequest(int packets) {
        packetsPerReadRequest = packets;
    }

    void nextPsn(int psn) {
        nextPsn = psn & Psns.MASK;
        unacknowledged = nextPsn;
        sentEnd = nextPsn;
    }

    int nextPsn() {
        return nextPsn;
    }

    /** The first PSN that no packet was sent with, or requested a response with. */
    int sentEnd() {
        return sentEnd;
    }

    /** Whether the oldest request has been started. */
    boolean isBusy() {
        return started > ring.first();
    }

    /** The position of the current request. */
    long next() {
        return next;
    }

    /** The number of packets of the current request that have been sent. */
    int sent() {
        return sent;
    }

    /** Whether there is a current request. */
    boolean hasNext() {
        return next < ring.end();
    }

    /** Whether the current request has PSNs. */
    boolean isStarted() {
        return next < started;
    }

    /** Whether the current request is the oldest one. */
    boolean isOldest() {
        return next == ring.first();
    }

    /** The number of READ and atomic request packets whose responses are outstanding. */
    int outstandingReads() {
        return outstandingReads;
    }

    /** The number of response packets that were requested and have not arrived. */
    int outstandingResponses() {
        return outstandingResponses;
    }

    /** The oldest PSN that is not acknowledged. */
    int unacknowledged() {
        return unacknowledged;
    }

    int firstPsn(long position) {
        return firstPsns[(int) position & mask];
    }

    int packets(long position) {
        return packetCounts[(int) position & mask];
    }

    /** The PSN of the packet that is sent next. */
    int psn() {
        return isStarted() ? Psns.add(firstPsn(next), sent) : nextPsn;
    }

    /**
     * The number of packets in flight; 0 if the next packet is a READ request and a part of its response has arrived.
     */
    int inFlight() {
        return Math.max(0, Psns.difference(psn(), unacknowledged));
    }

    /** Whether a PSN may be that of a packet in flight, including packets sent before going back to an earlier PSN. */
    boolean isInFlight(int psn) {
        return Psns.difference(psn, unacknowledged) >= 0 && Psns.difference(psn, nextPsn) < 0;
    }

    /** Whether the peer's credits do not cover the current request. */
    boolean isBeyondCredits(int opcode) {
        return creditLimit.isExceeded(receivesBefore(next), WrOpcodeCode.takesReceive(opcode));
    }

    /** Whether the credits cover everything before the current request, and no receive request for it. */
    boolean isAtCreditLimit() {
        return creditLimit.endsAfter(receivesBefore(next));
    }

    /** Whether the peer has stated credits. */
    boolean hasCreditLimit() {
        return creditLimit.isStated();
    }

    /** Removes the limit: the peer states no credits. */
    void removeCreditLimit() {
        creditLimit.remove();
    }

    /** Lets the credits end before the current request: the peer had no receive request for it. */
    void limitCreditsToNext() {
        creditLimit.endAfter(receivesBefore(next));
    }

    /** Whether the peer's credits do not cover the current request, which was sent before. */
    boolean isRepeatBeyondCredits() {
        return isStarted() && isBeyondCredits(ring.opcode(ring.place(next)));
    }

    private int messagesBefore(long position) {
        return position < started ? messagesBefore[(int) position & mask] : messages;
    }

    private int receivesBefore(long position) {
        return position < started ? receivesBefore[(int) position & mask] : receives;
    }

    /** How many of the messages that are not done are complete at the peer according to an MSN. */
    private int completed(int msn) {
        return Psns.difference(msn, messagesBefore(ring.first()) & Psns.MASK);
    }

    /** Whether an MSN counts all messages that are done, and none that was not started. */
    boolean isPlausible(int msn) {
        int completed = completed(msn);
        return completed >= 0 && completed <= messages - messagesBefore(ring.first());
    }

    /**
     * Applies the credits that arrived with a plausible MSN: the peer has so many receive requests for the messages
     * after those that the MSN counts.
     *
     * @return whether there was a limit, and it was raised
     */
    boolean addCredits(int msn, int credits) {
        int end = messagesBefore(ring.first()) + completed(msn);
        long position = ring.first();
        while (position < started && messagesBefore(position + 1) - end <= 0) {
            position++;
        }
        return creditLimit.raise(receivesBefore(position) + credits);
    }

    /** Whether the first packet of the current request is acknowledged. */
    boolean isFirstPacketAcknowledged() {
        return isStarted() && Psns.difference(unacknowledged, firstPsn(next)) > 0;
    }

    /**
     * Assigns PSNs to the current request, unless it has them.
     *
     * @param packets the number of its packets, for a READ those of the response
     * @param opcode its opcode
     */
    void start(int packets, int opcode) {
        if (!isStarted()) {
            int slot = (int) next & mask;
            firstPsns[slot] = nextPsn;
            packetCounts[slot] = packets;
            messagesBefore[slot] = messages;
            receivesBefore[slot] = receives;
            nextPsn = Psns.add(nextPsn, packets);
            started++;
            messages += opcode == WrOpcodeCode.RDMA_READ ? Math.ceilDiv(packets, packetsPerReadRequest) : 1;
            receives += WrOpcodeCode.takesReceive(opcode) ? 1 : 0;
        }
    }

    /** Records that a packet of the current request was sent. */
    void packetSent() {
        sentUpTo(sent + 1);
    }

    private void sentUpTo(int end) {
        int psn = Psns.add(firstPsn(next), end);
        if (Psns.difference(psn, sentEnd) > 0) {
            sentEnd = psn;
        }
        sent = end;
        if (sent == packets(next)) {
            next++;
            sent = 0;
        }
    }

    /** Records that the current request, an atomic, was sent. */
    void atomicSent() {
        outstandingReads++;
        outstandingResponses++;
        sentUpTo(1);
    }

    /** The index after the last response packet that the next request packet of the current READ requests. */
    int readRequestEnd() {
        return Math.min((sent / packetsPerReadRequest + 1) * packetsPerReadRequest, packets(next));
    }

    /** Records that the next request packet of the current READ was sent; its PSNs are those of the response. */
    void readRequestSent() {
        int end = readRequestEnd();
        outstandingReads++;
        outstandingResponses += end - sent;
        sentUpTo(end);
    }

    /** Whether a number of response packets is a whole response, or ends the response to a request packet of a READ. */
    boolean endsReadRequest(long position, int count) {
        return count == packets(position) || count % packetsPerReadRequest == 0;
    }

    /**
     * Records that another response packet of a READ or atomic has arrived. After going back, it may belong to a
     * request packet that was not sent again.
     *
     * @param count the number of response packets of the request that have arrived
     * @return whether it ends the response to a request packet
     */
    boolean responseArrived(long position, int count) {
        boolean ends = endsReadRequest(position, count);
        if (next > position || next == position && sent >= count) {
            outstandingResponses--;
            outstandingReads -= ends ? 1 : 0;
        }
        return ends;
    }

    /** Records that the oldest request, which needs no PSN, was completed. */
    void skipped() {
        next = ring.first();
        started = next;
    }

    /** Records that a request was completed, whether all its packets were sent or not. */
    void completed(long position) {
        if (next <= position) {
            next = position + 1;
            sent = 0;
        }
    }

    /** Records that the oldest request has failed; all others will be flushed. */
    void failed() {
        next = Math.max(next, ring.first());
        started = Math.max(started, ring.first());
        outstandingResponses = 0;
        unacknowledged = psn();
    }

    /** Whether all packets of the oldest request precede a PSN. */
    boolean isOldestBefore(int psn) {
        long oldest = ring.first();
        return oldest < started && Psns.difference(Psns.add(firstPsn(oldest), packets(oldest)), psn) <= 0;
    }

    /** Records that all PSNs before a PSN are acknowledged; returns how many of them were not before. */
    int acknowledge(int psn) {
        int progress = Psns.difference(psn, unacknowledged);
        if (progress > 0) {
            unacknowledged = psn;
            if (isStarted() && Psns.difference(psn, psn()) > 0) {
                // the packets that were to be sent or requested again have arrived meanwhile
                sent = Psns.difference(psn, firstPsn(next));
            }
        }
        return progress;
    }

    /**
     * Goes back: makes a packet that was sent the next one to send. For a READ whose response has arrived in part, this
     * is the first missing response packet.
     */
    void goBackTo(int psn) {
        // no request before it is outstanding: requests after a READ are not acknowledged before its response arrives
        outstandingReads = 0;
        outstandingResponses = 0;
        for (long position = ring.first(); position < started; position++) {
            int into = Psns.difference(psn, firstPsn(position));
            if (into >= 0 && into < packets(position)) {
                next = position;
                sent = into;
                return;
            }
        }
    }

    /** Whether a PSN is one of the oldest request. */
    boolean isOfOldest(int psn) {
        long oldest = ring.first();
        int into = Psns.difference(psn, firstPsn(oldest));
        return oldest < started && into >= 0 && into < packets(oldest);
    }

    /** Whether the oldest request has been started and is a READ or an atomic. */
    boolean isOldestRead() {
        return isBusy() && isRead(ring.first());
    }

    /** The position of the READ or atomic whose response is expected next, or {@link #NONE}. */
    long oldestRead() {
        for (long position = ring.first(); position < started; position++) {
            if (isRead(position)) {
                return position;
            }
        }
        return NONE;
    }

    private boolean isRead(long position) {
        return WrOpcodeCode.isReadOrAtomic(ring.opcode(ring.place(position)));
    }
}
