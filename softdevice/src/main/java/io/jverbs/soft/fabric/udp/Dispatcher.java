package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.ReceivedPackets;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.PacketView;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a {@link ReceiveEngine} that runs with its lock held. It takes packets from the sockets, a burst at a
 * time, passes them to queue pairs, and makes these send the responses that are due. Guarded by the engine's lock.
 */
final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    /** Polls may let acknowledgements wait if at most this many queue pairs have some. */
    private static final int MAX_DELAYED = 4;

    private final String name;
    private final ReceivedPackets arrival = new ReceivedPackets();
    private final PacketView view = new PacketView();
    private final List<SoftQp> responding = new ArrayList<>();
    /** Queue pairs that could send nothing in this turn. */
    private final List<SoftQp> blocked = new ArrayList<>();
    /** Queue pairs that have sent what they may send in this turn, and have more. */
    private final List<SoftQp> served = new ArrayList<>();
    private Receiver[] receivers;
    /** The receiver whose latest call returned packets that are not all processed yet; null for none. */
    private Receiver pending;
    private SoftPort port;
    private Outbox outbox;
    private Tap tap;
    private boolean failureLogged;

    /**
     * @param name the name of the device, for log messages
     * @param gid the address of the device
     * @param socket the socket that is bound to it
     */
    Dispatcher(String name, Gid gid, Datagrams socket) {
        this.name = name;
        this.receivers = new Receiver[] {new Receiver(socket, gid)};
    }

    /**
     * Sets the port whose queue pairs receive the packets, and the outbox for their responses. Nothing may be received
     * before.
     */
    void serve(SoftPort port, Outbox outbox) {
        this.port = port;
        this.outbox = outbox;
    }

    /** Sets the tap for packets that are received from now on; null for none. */
    void tap(Tap changed) {
        tap = changed;
        for (Receiver receiver : receivers) {
            receiver.tap(changed);
        }
    }

    /** Adds a socket to receive from. */
    void add(Receiver receiver) {
        receiver.tap(tap);
        receivers = Arrays.copyOf(receivers, receivers.length + 1);
        receivers[receivers.length - 1] = receiver;
    }

    /** Removes a socket to receive from. */
    void remove(Receiver receiver) {
        receivers = Arrays.stream(receivers).filter(each -> each != receiver).toArray(Receiver[]::new);
        pending = pending == receiver ? null : pending;
    }

    int count() {
        return receivers.length;
    }

    Datagrams socket(int index) {
        return receivers[index].socket();
    }

    /**
     * Returns whether packets were taken from the system and not processed yet, or responses are due that were not
     * sent.
     */
    boolean isUnfinished() {
        return pending != null || !responding.isEmpty();
    }

    /** Processes at most a number of packets of each socket; returns how many there were. */
    int receive(int max) {
        int count = processPending(max);
        for (int i = 0; i < receivers.length && pending == null; i++) {
            count += receive(receivers[i], max);
        }
        return count;
    }

    private int receive(Receiver receiver, int max) {
        int count = 0;
        try {
            boolean drained = false;
            while (count < max && !drained && receiver.receive(arrival, max - count)) {
                pending = receiver;
                count += processPending(max - count);
                drained = receiver.isDrained();
            }
        } catch (ClosedChannelException e) {
            return 0;
        } catch (IOException e) {
            logFailure(e);
        }
        return count;
    }

    /** Processes packets of the latest receive call. */
    private int processPending(int max) {
        int count = 0;
        while (pending != null && count < max) {
            Receiver receiver = pending;
            // if an exception is thrown below, the remaining packets are dropped; RC retransmits them
            pending = null;
            if (arrival.isLast()) {
                receiver.next(arrival);
            }
            arrival.next();
            if (!arrival.isLast() || receiver.holds()) {
                pending = receiver;
            }
            process(receiver);
            count++;
        }
        return count;
    }

    private void process(Receiver receiver) {
        DropReason drop = receiver.check(arrival, view);
        if (drop != DropReason.NONE) {
            port.dropped(drop);
        } else if (receiver.isMulticast()) {
            port.receiveOfGroup(view, receiver.source(), receiver.destination(), receiver.addresses());
        } else {
            port.receive(view, receiver.addresses());
        }
    }

    /** Notes that a queue pair has responses to send after this burst. */
    void scheduleResponses(SoftQp qp) {
        if (!qp.responder().isListed()) {
            responding.add(qp);
            qp.responder().listed(true);
        }
    }

    /**
     * Makes queue pairs send the responses that are due, unless a poll can let them wait. Returns whether something was
     * left. The number of packets with response data is limited in each turn, as other packets wait to be received.
     * Queue pairs that could send none of them are first in the next turn.
     */
    boolean sendResponses(boolean byPoll) {
        // many queue pairs are not visited at each poll
        boolean mayDelay = byPoll && responding.size() <= MAX_DELAYED;
        if (outbox == null) {
            return false;
        }
        outbox.beginTurn();
        int next = 0;
        try {
            while (next < responding.size()) {
                SoftQp qp = responding.get(next);
                int before = outbox.left();
                if (!qp.responder().sendResponses(mayDelay, outbox)) {
                    qp.responder().listed(false);
                } else if (outbox.left() == before) {
                    blocked.add(qp);
                } else {
                    served.add(qp);
                }
                next++;
            }
        } finally {
            // also after an Error: no queue pair with responses due may be lost
            try {
                requeue(next);
            } finally {
                outbox.release();
            }
        }
        return !responding.isEmpty();
    }

    /** Lists the queue pairs that have responses left: blocked ones, those not visited, and served ones. */
    private void requeue(int next) {
        int count = 0;
        for (int i = 0; i < blocked.size(); i++) {
            responding.set(count++, blocked.get(i));
        }
        for (int i = next; i < responding.size(); i++) {
            responding.set(count++, responding.get(i));
        }
        while (responding.size() > count) {
            responding.removeLast();
        }
        // addAll would allocate
        for (int i = 0; i < served.size(); i++) {
            responding.add(served.get(i));
        }
        blocked.clear();
        served.clear();
    }

    /** Logs that nothing could be received, the first time. */
    private void logFailure(IOException e) {
        if (!failureLogged) {
            failureLogged = true;
            LOG.debug("Software device {} could not receive: {}", name, e.toString());
        }
    }
}
