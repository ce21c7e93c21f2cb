package io.jverbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.Mtu;
import io.jverbs.PathMigrationState;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Waits;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wait;
import io.jverbs.contract.end.Wc;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/** Base of the contracts about states: moves queue pairs to any state, and creates messages for every type. */
public abstract class QpStates extends VerbsContract {

    /** Length of a message of these contracts in bytes. */
    public static final int MESSAGE = 64;

    /** A key that no region has. */
    protected static final int GARBAGE_KEY = 0xdead_beef;

    private static final int GRH = 40;
    private static final int SLOT = 128;

    // States

    /**
     * Returns a connection whose left queue pair is in the state. Each queue pair has separate completion queues for
     * sends and receives.
     */
    protected final Pair leftIn(QpType type, QpState state) {
        return leftIn(type, state, options -> {});
    }

    protected final Pair leftIn(QpType type, QpState state, Consumer<PairOptions> change) {
        Pair pair = pair(type, options -> change.accept(apart(options).left(l -> l.upTo(before(state)))));
        enter(pair, pair.left(), state);
        return pair;
    }

    /**
     * Returns a connection whose right queue pair is in the state. Each queue pair has separate completion queues for
     * sends and receives.
     */
    protected final Pair rightIn(QpType type, QpState state) {
        return rightIn(type, state, options -> {});
    }

    protected final Pair rightIn(QpType type, QpState state, Consumer<PairOptions> change) {
        Pair pair = pair(type, options -> change.accept(apart(options).right(r -> r.upTo(before(state)))));
        enter(pair, pair.right(), state);
        return pair;
    }

    /** Gives each queue pair separate completion queues for sends and receives. */
    protected final PairOptions apart(PairOptions options) {
        return options.left(l -> l.separateCqs(left)).right(r -> r.separateCqs(right));
    }

    /** Returns the state to connect to, from which the wanted state is entered. */
    private static QpState before(QpState state) {
        return state.compareTo(QpState.RTS) > 0 ? QpState.RTS : state;
    }

    private void enter(Pair pair, Qp qp, QpState state) {
        switch (state) {
            case SQD -> {
                qp.modify(state);
                qp.awaitDrained();
            }
            case ERR -> qp.modify(state);
            case SQE -> breakSendQueue(pair, qp);
            default -> {
            }
        }
        assertEquals(state, qp.state(), () -> "state of " + qp);
    }

    /** Makes a send fail at the requester. Aborts the test if the device then moves to ERR. */
    protected final void breakSendQueue(Pair pair, Qp qp) {
        expect(qp.execute(from(pair, qp, send(garbage())))).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
        Assumptions.assumeTrue(awaitOneOf(qp, QpState.SQE, QpState.ERR) == QpState.SQE,
                "a failed send moves the device's queue pairs to ERR, not to SQE");
    }

    /** Waits for one of two states, and returns it. */
    protected static QpState awaitOneOf(Qp qp, QpState one, QpState other) {
        Wait wait = new Wait(Waits.deadline());
        while (true) {
            QpState seen = qp.state();
            if (seen == one || seen == other) {
                return seen;
            }
            assertTrue(wait.goesOn(), () -> qp + " is in " + seen + ", not in " + one + " or " + other);
            Thread.yield();
        }
    }

    /** Returns an element that names unregistered memory. */
    protected static Sge garbage() {
        return Sge.raw(0x6bad_0000_1234_5000L, MESSAGE, GARBAGE_KEY);
    }

    // Attributes

    /** Returns a modify to a state with these attributes, whose values differ from those of the connection. */
    protected static QpAttr change(Pair pair, QpState to, QpState from, Set<QpAttribute> attributes) {
        QpAttr attr = QpAttr.to(to);
        for (QpAttribute attribute : attributes) {
            attr = attr.with(attribute, value(pair, from, attribute));
        }
        return attr;
    }

    /** Returns a legal value for the left queue pair. */
    protected static Object value(Pair pair, QpState current, QpAttribute attribute) {
        return switch (attribute) {
            case STATE, CUR_STATE -> current.code();
            case EN_SQD_ASYNC_NOTIFY -> true;
            case ACCESS_FLAGS -> Access.REMOTE_READ;
            case PKEY_INDEX -> 0;
            case PORT -> Side.PORT;
            case QKEY -> 0x2222_2222;
            case AV, ALT_PATH -> otherPath(pair);
            case PATH_MTU -> Mtu.MTU_512.code();
            case TIMEOUT -> 9;
            case RETRY_CNT -> 3;
            case RNR_RETRY -> 2;
            case RQ_PSN -> 0x12_3456;
            case MAX_QP_RD_ATOMIC -> 2;
            case MIN_RNR_TIMER -> 7;
            case SQ_PSN -> 0x65_4321;
            case MAX_DEST_RD_ATOMIC -> 4;
            case PATH_MIG_STATE -> PathMigrationState.MIGRATED.code();
            case DEST_QPN -> pair.right().number() ^ 1;
            case CAP -> throw new AssertionError("the API cannot set CAP");
        };
    }

    /** Returns a path to the peer that differs from the default one. */
    private static AhAttributes otherPath(Pair pair) {
        return pair.left().side().pathTo(pair.right().side()).toBuilder().trafficClass(0x20).build();
    }

    /** Asserts that a query returns the set attributes, as far as queries return them. */
    protected static void assertShows(QpAttr given, QpAttr seen) {
        given.values().keySet().forEach(attribute -> {
            switch (attribute) {
                case CUR_STATE, EN_SQD_ASYNC_NOTIFY, PATH_MIG_STATE, ALT_PATH -> {
                }
                case AV -> assertSamePath(given.path(attribute), seen.path(attribute));
                // devices may round these up
                case MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC -> assertTrue(
                        seen.number(attribute) >= given.number(attribute), () -> attribute + " of " + seen);
                default -> assertEquals(given.number(attribute), seen.number(attribute),
                        () -> attribute + " of the query");
            }
        });
    }

    private static void assertSamePath(AhAttributes given, AhAttributes seen) {
        assertEquals(given.destination(), seen.destination());
        assertEquals(given.sgidIndex(), seen.sgidIndex());
        assertEquals(given.port(), seen.port());
        assertEquals(given.trafficClass(), seen.trafficClass());
        assertEquals(given.hopLimit(), seen.hopLimit());
    }

    // Messages

    /** Returns the request as this queue pair posts it: a datagram gets the address of the other queue pair. */
    protected static SendSpec from(Pair pair, Qp poster, SendSpec request) {
        if (poster.type() != QpType.UD) {
            return request;
        }
        return poster == pair.left() ? pair.toRight(request) : pair.toLeft(request);
    }

    /** Returns an unsignaled message to the other queue pair. Its contents are the pattern of its id. */
    protected static SendSpec message(Pair pair, Qp poster, int id) {
        return from(pair, poster, send(poster.side().region(MESSAGE).fill(id).sge())).id(id);
    }

    /** Returns a message from left to right. */
    protected static SendSpec message(Pair pair, int id) {
        return message(pair, pair.left(), id);
    }

    /** Sends a message from left to right, and asserts that it succeeds at the sender. */
    protected static void deliver(Pair pair, int id) {
        expect(pair.left().execute(message(pair, id))).success().id(id);
    }

    /** Receive requests for messages of any type. Their ids start at 0, and each has its own slot of memory. */
    protected static final class Inbox {

        private final Qp qp;
        private final Region slots;
        private final int grh;
        private int posted;

        public Inbox(Qp qp) {
            this.qp = qp;
            this.grh = qp.type() == QpType.UD ? GRH : 0;
            this.slots = qp.side().region(16 * SLOT);
        }

        /** Returns the next receive request. */
        public RecvSpec next() {
            int slot = posted++;
            return recv(slots.sge((long) slot * SLOT, MESSAGE + grh)).id(slot);
        }

        /** Posts a number of receive requests. */
        public Inbox post(int count) {
            for (int i = 0; i < count; i++) {
                qp.postRecv(next());
            }
            return this;
        }

        /**
         * Asserts that the next completion is of this receive request, and that it contains the message with this id.
         */
        public void assertReceives(int slot, int message) {
            Wc wc = qp.awaitRecv();
            expect(wc).success().id(slot).qp(qp).bytes(MESSAGE + grh);
            slots.assertHolds((long) slot * SLOT + grh, MESSAGE, message);
        }

        /** Asserts that no slot was written. */
        public void assertEmpty() {
            slots.assertZero();
        }
    }
}
