package io.jverbs.soft.transport.local;

import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.wire.PacketView;
import java.util.Arrays;
import java.util.Iterator;

/**
 * A responder that executes nothing and responds as a test states, in the order of the attempts, and with ACKs then:
 *
 * <pre>
 * k  an ACK        w  an ACK with another PSN than that of the last packet
 * r1 an RNR NAK after one packet was executed      s  a NAK, PSN sequence error     i  a NAK, invalid request
 * x  a NAK, access error        o  a NAK, operational error                         -  no response
 * </pre>
 *
 * It keeps the attempts. An attempt is the PSN, which counts from the first one, and the number of packets: 2/1. It
 * begins with R if the RNR time has passed since the attempt before it, with T if the ACK timeout has.
 */
final class ResponseScript extends ResponderProtocol {
    /** The code of the ACK timeout of the peer. */
    static final int TIMEOUT = 4;
    /** The value that atomics return. */
    static final long ORIGINAL = 77;
    private static final int RNR_TIMER = 7;

    private final Timers timers;
    private final int firstPsn;
    private final Iterator<String> responses;
    private final StringBuilder attempts = new StringBuilder();
    private long lastAttempt;

    /**
     * @param firstPsn the PSN of the first packet
     * @param responses the responses, separated by blanks
     */
    ResponseScript(Timers timers, int firstPsn, String responses) {
        this.timers = timers;
        this.firstPsn = firstPsn;
        this.responses = Arrays.asList(responses.split(" ")).iterator();
    }

    /** The attempts so far. */
    String attempts() {
        return attempts.toString();
    }

    @Override
    public void execute(Message message) {
        attempts.append(attempts.isEmpty() ? "" : " ").append(waited())
                .append(Psns.difference(message.psn, firstPsn)).append('/').append(message.packets);
        respond(message, responses.hasNext() ? responses.next() : "k");
    }

    private String waited() {
        long nanos = timers.nanoTime() - lastAttempt;
        lastAttempt = timers.nanoTime();
        if (nanos == Timers.Codes.rnrNanos(RNR_TIMER)) {
            return "R";
        }
        return nanos == Timers.Codes.ackNanos(TIMEOUT) ? "T" : nanos == 0 ? "" : nanos + "ns-";
    }

    private void respond(Message message, String response) {
        int end = Psns.add(message.psn, message.packets);
        message.original = ORIGINAL;
        message.replyPsn = Psns.add(end, -1);
        switch (response.charAt(0)) {
            case 'k' -> message.reply = Message.ACK;
            case 'w' -> {
                message.reply = Message.ACK;
                message.replyPsn = end;
            }
            case 'r' -> {
                message.reply = Message.RNR_NAK;
                message.replyPsn = Psns.add(firstPsn, response.charAt(1) - '0');
                message.rnrTimer = RNR_TIMER;
            }
            case 's' -> message.reply = Message.NAK_PSN_SEQUENCE_ERROR;
            case 'i' -> message.reply = Message.NAK_INVALID_REQUEST;
            case 'x' -> message.reply = Message.NAK_REMOTE_ACCESS_ERROR;
            case 'o' -> message.reply = Message.NAK_REMOTE_OPERATIONAL_ERROR;
            default -> message.reply = Message.NO_REPLY;
        }
    }

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        throw new AssertionError("there is no wire");
    }

    @Override
    public int expectedPsn() {
        return 0;
    }

    @Override
    public void expectPsn(int psn) {
        // the responses do not depend on it
    }

    @Override
    public Traffic traffic() {
        return Traffic.NONE;
    }

    @Override
    public void clear() {
        // there is no state
    }
}
