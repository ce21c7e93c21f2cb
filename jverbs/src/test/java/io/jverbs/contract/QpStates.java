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
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.end.Wait;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/** Queue pairs brought to any state, and messages for every type, for the contracts about states. */
abstract class QpStates extends VerbsContract {

    /** Bytes of a message of these contracts. */
    static final int MESSAGE = 64;

    /** A key that no region has. */
    static final int GARBAGE_KEY = 0xdead_beef;

    private static final int GRH = 40;
    private static final int SLOT = 128;

    // States

    /** A connection with queues of their own for both directions, whose left pair is in the state. */
    final Pair leftIn(QpType type, QpState state) {
        return leftIn(type, state, options -> {});
    }

    final Pair leftIn(QpType type, QpState state, Consumer<PairOptions> change) {
        Pair pair = pair(type, options -> change.accept(apart(options).left(l -> l.upTo(before(state)))));
        enter(pair, pair.left(), state);
        return pair;
    }

    /** A connection with queues of their own for both directions, whose right pair is in the state. */
    final Pair rightIn(QpType type, QpState state) {
        return rightIn(type, state, options -> {});
    }

    final Pair rightIn(QpType type, QpState state, Consumer<PairOptions> change) {
        Pair pair = pair(type, options -> change.accept(apart(options).right(r -> r.upTo(before(state)))));
        enter(pair, pair.right(), state);
        return pair;
    }

    /** Each pair gets one queue for sends and one for receives. */
    final PairOptions apart(PairOptions options) {
        return options.left(l -> l.separateCqs(left)).right(r -> r.separateCqs(right));
    }

    /** The state to connect to, from where the wanted one is entered. */
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

    /** Lets a send fail at its own side. The test ends here where the device then moves to ERR. */
    final void breakSendQueue(Pair pair, Qp qp) {
        expect(qp.execute(from(pair, qp, send(garbage())))).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
        Assumptions.assumeTrue(awaitOneOf(qp, QpState.SQE, QpState.ERR) == QpState.SQE,
                "a failed send moves the device's queue pairs to ERR, not to SQE");
    }

    /** Waits for either state; which one it is. */
    static QpState awaitOneOf(Qp qp, QpState one, QpState other) {
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

    /** An element that names memory nobody registered. */
    static Sge garbage() {
        return Sge.raw(0x6bad_0000_1234_5000L, MESSAGE, GARBAGE_KEY);
    }

    // Attributes

    /** A modify to a state with these attributes, each of them unlike what the pair was connected with. */
    static QpAttr change(Pair pair, QpState to, QpState from, Set<QpAttribute> attributes) {
        QpAttr attr = QpAttr.to(to);
        for (QpAttribute attribute : attributes) {
            attr = attr.with(attribute, value(pair, from, attribute));
        }
        return attr;
    }

    /** A legal value for the left pair. */
    static Object value(Pair pair, QpState current, QpAttribute attribute) {
        return switch (attribute) {
            case STATE, CUR_STATE -> current.code();
            case EN_SQD_ASYNC_NOTIFY -> true;
            case ACCESS_FLAGS -> Access.REMOTE_READ;
            case PKEY_INDEX -> 0;
            case PORT -> Side.PORT;
            case QKEY -> 0x2222_2222;
            case AV, ALT_PATH -> detour(pair);
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
            case CAP -> throw new AssertionError("the API cannot give CAP");
        };
    }

    /** A path to the peer that differs from the usual one. */
    private static AhAttributes detour(Pair pair) {
        return pair.left().side().pathTo(pair.right().side()).toBuilder().trafficClass(0x20).build();
    }

    /** A query shows what was given, as far as queries show it. */
    static void assertShows(QpAttr given, QpAttr seen) {
        given.values().keySet().forEach(attribute -> {
            switch (attribute) {
                case CUR_STATE, EN_SQD_ASYNC_NOTIFY, PATH_MIG_STATE, ALT_PATH -> {
                }
                case AV -> assertSamePath(given.path(attribute), seen.path(attribute));
                // devices may round these up
                case MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC -> assertTrue(
                        seen.number(attribute) >= given.number(attribute), () -> attribute + " of " + seen);
                default -> assertEquals(given.number(attribute), seen.number(attribute), () -> attribute + " shown");
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

    /** The request as this pair posts it: a datagram gets the other pair's address. */
    static SendSpec from(Pair pair, Qp poster, SendSpec request) {
        if (poster.type() != QpType.UD) {
            return request;
        }
        return poster == pair.left() ? pair.toRight(request) : pair.toLeft(request);
    }

    /** A message of the pair's side to the other pair, unsignaled; its bytes are the pattern of its id. */
    static SendSpec message(Pair pair, Qp poster, int id) {
        return from(pair, poster, send(poster.side().region(MESSAGE).fill(id).sge())).id(id);
    }

    /** A message from left to right. */
    static SendSpec message(Pair pair, int id) {
        return message(pair, pair.left(), id);
    }

    /** Left sends the message and sees it succeed. */
    static void deliver(Pair pair, int id) {
        expect(pair.left().execute(message(pair, id))).success().id(id);
    }

    /** Room for messages of any type: receive requests whose ids count from 0, each with a place of its own. */
    static final class Inbox {

        private final Qp qp;
        private final Region places;
        private final int grh;
        private int posted;

        Inbox(Qp qp) {
            this.qp = qp;
            this.grh = qp.type() == QpType.UD ? GRH : 0;
            this.places = qp.side().region(16 * SLOT);
        }

        /** The next receive request. */
        RecvSpec next() {
            int place = posted++;
            return recv(places.sge((long) place * SLOT, MESSAGE + grh)).id(place);
        }

        /** Posts so many receive requests. */
        Inbox post(int count) {
            for (int i = 0; i < count; i++) {
                qp.postRecv(next());
            }
            return this;
        }

        /** The next completion is of this receive request, which holds the message with this id. */
        void assertReceives(int place, int message) {
            Wc wc = qp.awaitRecv();
            expect(wc).success().id(place).qp(qp).bytes(MESSAGE + grh);
            places.assertHolds((long) place * SLOT + grh, MESSAGE, message);
        }

        /** Nothing was written to any place. */
        void assertEmpty() {
            places.assertZero();
        }
    }
}
