package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Drop;
import io.jverbs.soft.wire.PacketView;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an {@link Engine} does with its lock held: takes packets from the sockets, a burst at a time, hands them to queue pairs, and
 * has those send what is due for them. Guarded by the engine's lock.
 */
final class Reception {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
    /** So many queue pairs may have pollers wait with acknowledgements. */
    private static final int FEW = 4;

    private final String name;
    private final Arrival arrival = new Arrival();
    private final PacketView view = new PacketView();
    private final List<SoftQp> toPump = new ArrayList<>();
    private Receiver[] receivers;
    /** Who has received what came with one call, while not all of it is taken. */
    private Receiver rest;
    private SoftPort port;
    private Outbox answers;
    private Tap tap;
    private boolean complained;

    /**
     * @param name of the device, as it is logged
     * @param gid its address
     * @param socket bound to it
     */
    Reception(String name, Gid gid, Datagrams socket) {
        this.name = name;
        this.receivers = new Receiver[] {new Receiver(socket, gid)};
    }

    /** Says whose packets these are, and where their answers leave; before that nothing may be received. */
    void serve(SoftPort behind, Outbox outbox) {
        port = behind;
        answers = outbox;
    }

    /** Says who looks at packets that are received from now on; null for nobody. */
    void tap(Tap changed) {
        tap = changed;
        for (Receiver receiver : receivers) {
            receiver.tap(changed);
        }
    }

    /** Receives from one more socket. */
    void add(Receiver receiver) {
        receivers = Arrays.copyOf(receivers, receivers.length + 1);
        receivers[receivers.length - 1] = receiver;
        receiver.tap(tap);
    }

    /** Receives no more from a socket. */
    void remove(Receiver receiver) {
        receivers = Arrays.stream(receivers).filter(each -> each != receiver).toArray(Receiver[]::new);
        rest = rest == receiver ? null : rest;
    }

    int count() {
        return receivers.length;
    }

    Datagrams socket(int index) {
        return receivers[index].socket();
    }

    /** Whether packets were taken from the system that no queue pair has yet, or something is due that was not sent. */
    boolean isUnfinished() {
        return rest != null || !toPump.isEmpty();
    }

    /** Takes at most so many packets of each socket; how many there were. */
    int receive(int most) {
        int count = takeRest(most);
        for (int i = 0; i < receivers.length && rest == null; i++) {
            count += receive(receivers[i], most);
        }
        return count;
    }

    private int receive(Receiver receiver, int most) {
        int count = 0;
        try {
            boolean dry = false;
            while (count < most && !dry && receiver.receive(arrival, most - count)) {
                rest = receiver;
                count += takeRest(most - count);
                dry = receiver.isDry();
            }
        } catch (ClosedChannelException e) {
            return 0;
        } catch (IOException e) {
            failed(e);
        }
        return count;
    }

    /** Takes packets of what came with one call. */
    private int takeRest(int most) {
        int count = 0;
        while (rest != null && count < most) {
            Receiver receiver = rest;
            if (arrival.isSpent()) {
                receiver.next(arrival);
            }
            arrival.next();
            if (arrival.isSpent() && !receiver.holds()) {
                rest = null;
            }
            take(receiver);
            count++;
        }
        return count;
    }

    private void take(Receiver receiver) {
        Drop drop = receiver.view(arrival, view);
        if (drop != Drop.NONE) {
            port.dropped(drop);
        } else if (view.destinationQpn() == Bth.MULTICAST_QPN) {
            port.receiveOfGroup(view, receiver);
        } else {
            port.receive(view, receiver.envelope());
        }
    }

    /** Notes that a queue pair has something to send after this burst. */
    void pumpLater(SoftQp qp) {
        if (!toPump.contains(qp)) {
            toPump.add(qp);
        }
    }

    /** Has queue pairs send what is due, unless a poller can wait with it; whether something was left. */
    boolean pump(boolean polled) {
        // nobody looks at many again and again
        boolean patient = polled && toPump.size() <= FEW;
        int left = 0;
        try {
            for (int i = 0; i < toPump.size(); i++) {
                SoftQp qp = toPump.get(i);
                if (qp.responder().pump(patient, answers)) {
                    toPump.set(left++, qp);
                }
            }
        } finally {
            if (answers != null) {
                answers.release();
            }
        }
        while (toPump.size() > left) {
            toPump.removeLast();
        }
        return left != 0;
    }

    /** Nothing could be received: for the first time that is told. */
    private void failed(IOException e) {
        if (!complained) {
            complained = true;
            LOG.debug("Software device {}: {}", name, e.toString());
        }
    }
}
