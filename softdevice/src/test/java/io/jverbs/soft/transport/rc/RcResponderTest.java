package io.jverbs.soft.transport.rc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.Responses;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.WireOpcode;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the responder of a reliable connection does with each packet. Two receive requests of four packets each are
 * posted. The names of the responses are those of {@link Responses}. A scenario is a sequence of steps, at a path MTU
 * of 256 bytes; the last packet of a message requests an acknowledgement:
 *
 * <pre>
 * F  first of a SEND, 256 bytes     M  middle, 256 bytes     L  last, 10 bytes     O  only, 20 bytes
 * f  first of a WRITE               m  middle                l  last               o  only
 * I  only of a SEND with immediate data     i  of a WRITE     V  only of a SEND with an rkey that is not valid
 * S  first of a SEND, 100 bytes     X  middle, 100 bytes     E  last, 0 bytes      s  only of a SEND, 300 bytes
 * R  a READ of three packets        A  a fetch and add of 1  Q  the same at an address that is not aligned
 * z  a WRITE of 0 bytes, and        Z  a READ of 0 bytes, both without a valid rkey
 * -  a packet is lost     =  the latest packet arrives again     ^  the peer goes back to the expected PSN
 * .  the responses that are due are sent, as at the end           +  a receive request is posted
 * </pre>
 */
final class RcResponderTest {
    private static final int RECEIVES = 2;
    private static final int READ_BYTES = 2 * TestedResponder.MTU + 10;

    private TestedResponder responder;
    private int psn;
    private char latest;
    private int latestPsn;

    private void create(TestedResponder created) {
        responder = created;
        psn = 0;
        for (int i = 0; i < RECEIVES; i++) {
            responder.postReceive();
        }
    }

    private void run(String scenario) {
        for (int i = 0; i < scenario.length(); i++) {
            char step = scenario.charAt(i);
            switch (step) {
                case '-' -> psn++;
                case '=' -> receive(latest, latestPsn, scenario, scenario.lastIndexOf(latest, i));
                case '^' -> psn = responder.expectedPsn();
                case '.' -> responder.takeTurn();
                case '+' -> responder.postReceive();
                default -> {
                    latest = step;
                    latestPsn = psn;
                    receive(step, psn, scenario, i);
                    psn += step == 'R' ? 3 : 1;
                }
            }
        }
        responder.takeTurn();
    }

    private static int opcode(char packet) {
        return switch (packet) {
            case 'F', 'S' -> WireOpcode.SEND_FIRST;
            case 'M', 'X' -> WireOpcode.SEND_MIDDLE;
            case 'L', 'E' -> WireOpcode.SEND_LAST;
            case 'O', 's' -> WireOpcode.SEND_ONLY;
            case 'I' -> WireOpcode.SEND_ONLY_WITH_IMM;
            case 'V' -> WireOpcode.SEND_ONLY_WITH_INV;
            case 'f' -> WireOpcode.WRITE_FIRST;
            case 'm' -> WireOpcode.WRITE_MIDDLE;
            case 'l' -> WireOpcode.WRITE_LAST;
            case 'o', 'z' -> WireOpcode.WRITE_ONLY;
            case 'i' -> WireOpcode.WRITE_ONLY_WITH_IMM;
            case 'A', 'Q' -> WireOpcode.FETCH_ADD;
            default -> WireOpcode.READ_REQUEST;
        };
    }

    private static int payload(char packet) {
        return switch (packet) {
            case 'S', 'X' -> 100;
            case 'L', 'l' -> 10;
            case 'O', 'o', 'I', 'i', 'V' -> 20;
            case 's' -> 300;
            case 'F', 'M', 'f', 'm' -> TestedResponder.MTU;
            default -> 0;
        };
    }

    /** The length of the WRITE or READ that begins at an index of a scenario. */
    private static int length(String scenario, int index) {
        int length = 0;
        for (int i = index; i < scenario.length(); i++) {
            char packet = scenario.charAt(i);
            if (packet == 'R') {
                return READ_BYTES;
            }
            if (packet == 'z' || packet == 'Z' || packet == 'l' || packet == 'o' || packet == 'i') {
                return length + payload(packet);
            }
            length += packet == 'm' || packet == 'f' ? TestedResponder.MTU : 0;
        }
        // its last packet is not in the scenario
        return length + payload('l');
    }

    private void receive(char step, int at, String scenario, int index) {
        int opcode = opcode(step);
        PacketEncoder packet = responder.begin(opcode, at, payload(step), WireOpcode.isLast(opcode));
        boolean garbage = step == 'z' || step == 'Z';
        int rkey = garbage ? 0 : responder.rkey();
        if (WireOpcode.kind(opcode) == WireOpcode.KIND_ATOMIC) {
            packet.atomicEth(responder.address(step == 'Q' ? 1 : 0), rkey, 1, 0);
        } else if (WireOpcode.hasReth(opcode)) {
            packet.reth(garbage ? 1 : responder.address(0), rkey, length(scenario, index));
        }
        if (WireOpcode.hasImmediate(opcode)) {
            packet.immediate(7);
        } else if (step == 'V') {
            packet.ieth(~rkey);
        }
        responder.deliver(step);
    }

    private void check(String scenario, String responses, String completions) {
        for (int first : new int[] {7, Psns.MASK - 1}) {
            create(new TestedResponder(first));
            run(scenario);
            assertEquals(responses, responder.sent());
            assertEquals(completions, responder.pair.receiveCompletions());
        }
    }

    /** F1, F42, L24, L30, L33, B27: the columns are the packets, the responses, and the receive completions. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            O,      ack0,                     1
            FL,     ack1,                     1
            FML,    ack2,                     1
            FMML,   ack3,                     1
            I,      ack0,                     1
            F,      '',                       ''
            FM,     '',                       ''
            OO,     ack1,                     1 2
            O.O,    ack0 ack1,                1 2
            O..,    ack0,                     1
            o,      ack0,                     ''
            fl,     ack1,                     ''
            fml,    ack2,                     ''
            i,      ack0,                     1
            oiO,    ack2,                     1 2
            z,      ack0,                     ''
            Z,      only0,                    ''
            R,      first0 mid1 last2,        ''
            A,      atom0,                    ''
            oR,     first1 mid2 last3 ack0,   ''
            Ro,     first0 mid1 last2 ack3,   ''
            o.R,    ack0 first1 mid2 last3,   ''
            RA,     first0 mid1 last2 atom3,  ''
            AR,     atom0 first1 mid2 last3,  ''
            A.A.A,  atom0 atom1 atom2,        ''
            """)
    void packetsInOrderAreExecutedAndAcknowledged(String scenario, String responses, String completions) {
        check(scenario, responses, completions);
    }

    /** L31, L32, F22, F27: the columns are the packets, the responses, and the receive completions. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            -O,        seq0,                                         ''
            -OO,       seq0,                                         ''
            -O.O.O,    seq0,                                         ''
            -O^OO,     seq0 ack1,                                    1 2
            o-o,       seq1,                                         ''
            o.-o,      ack0 seq1,                                    ''
            o-o^oo,    seq1 ack2,                                    ''
            o-o^o-o,   seq1 seq2,                                    ''
            F-L,       seq1,                                         ''
            F-L^L,     seq1 ack1,                                    1
            -R,        seq0,                                         ''
            -A,        seq0,                                         ''
            R-o,       first0 mid1 last2 seq3,                       ''
            R.-o,      first0 mid1 last2 seq3,                       ''
            R-o^oo,    first0 mid1 last2 ack4,                       ''
            o=,        ack0,                                         ''
            o.=,       ack0 ack0,                                    ''
            O.=,       ack0 ack0,                                    1
            OO.=,      ack1 ack1,                                    1 2
            FL.=,      ack1 ack1,                                    1
            i.=,       ack0 ack0,                                    1
            R.=,       first0 mid1 last2 first0 mid1 last2,          ''
            R=,        first0 mid1 last2,                            ''
            A.=,       atom0 atom0,                                  ''
            A.=.=,     atom0 atom0 atom0,                            ''
            """)
    void aGapIsReportedOnceAndADuplicateIsNotExecuted(String scenario, String responses, String completions) {
        check(scenario, responses, completions);
    }

    /**
     * F23, F26, F27, F38, I5, L43: the columns are the packets, the responses, and the receive completions. A receive
     * request that is posted after an ACK without credits is reported by another ACK.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            OOO,         ack1 rnr2, 1 2
            OO.O,        ack1 rnr2, 1 2
            OO.OO,       ack1 rnr2, 1 2
            OO.Oo,       ack1 rnr2, 1 2
            OO.FML,      ack1 rnr2, 1 2
            OO.O^+O,     ack1 rnr2 ack1 ack2, 1 2 3
            OO.O^O,      ack1 rnr2 rnr2, 1 2
            OO.OO^+O,    ack1 rnr2 ack1 ack2, 1 2 3
            OO.i,        ack1 rnr2, 1 2
            OO.i^+i,     ack1 rnr2 ack1 ack2, 1 2 3
            OO.V,        ack1 rnr2, 1 2
            OO.o,        ack1 ack2, 1 2
            """)
    void withoutAReceiveRequestThePeerWaits(String scenario, String responses, String completions) {
        check(scenario, responses, completions);
    }

    /**
     * F14, F35, F37, F45, L19, L20, L35: the columns are the packets, the responses, the receive completions, and the
     * events. After the fault nothing is executed.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            L,      inv0,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            M,      inv0,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            l,      inv0,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            OL,     inv1,      1 2:WR_FLUSH_ERR,                QP_REQ_ERR
            FF,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            FO,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            Fm,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            Fl,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            FR,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            FA,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            fL,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            fM,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            fo,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            S,      inv0,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            s,      inv0,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            FX,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            FE,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            Q,      inv0,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            FMMML,  inv4,      1:LOC_LEN_ERR 2:WR_FLUSH_ERR,    ''
            V,      '',        1:MW_BIND_ERR 2:WR_FLUSH_ERR,    ''
            LOO,    inv0,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            oL,     inv1,      1:WR_FLUSH_ERR 2:WR_FLUSH_ERR,   QP_REQ_ERR
            RL,     first0 mid1 last2 inv3, 1:WR_FLUSH_ERR 2:WR_FLUSH_ERR, QP_REQ_ERR
            """)
    void anInvalidRequestFailsTheQueuePair(String scenario, String responses, String completions, String events) {
        for (int first : new int[] {7, Psns.MASK - 1}) {
            create(new TestedResponder(first));
            run(scenario);
            assertEquals(responses, responder.sent());
            assertEquals(completions, responder.pair.receiveCompletions());
            assertEquals(events, events());
            assertEquals("ERR", responder.pair.state().name());
        }
    }

    private String events() {
        return responder.pair.events().stream().map(Enum::name).collect(Collectors.joining(" "));
    }

    /**
     * B29, F8, F35, J5, J6: the columns are the packet, the right that the queue pair lacks, the right that the region
     * lacks, the response, and the event.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            o, REMOTE_WRITE,  '',            inv0, QP_REQ_ERR
            o, '',            REMOTE_WRITE,  acc0, QP_ACCESS_ERR
            o, REMOTE_WRITE,  REMOTE_WRITE,  inv0, QP_REQ_ERR
            i, '',            REMOTE_WRITE,  acc0, QP_ACCESS_ERR
            f, '',            REMOTE_WRITE,  acc0, QP_ACCESS_ERR
            z, REMOTE_WRITE,  '',            inv0, QP_REQ_ERR
            z, '',            REMOTE_WRITE,  ack0, ''
            R, REMOTE_READ,   '',            inv0, QP_REQ_ERR
            R, '',            REMOTE_READ,   acc0, QP_ACCESS_ERR
            Z, REMOTE_READ,   '',            inv0, QP_REQ_ERR
            Z, '',            REMOTE_READ,   only0, ''
            A, REMOTE_ATOMIC, '',            inv0, QP_REQ_ERR
            A, '',            REMOTE_ATOMIC, acc0, QP_ACCESS_ERR
            Q, '',            REMOTE_ATOMIC, inv0, QP_REQ_ERR
            o, REMOTE_READ,   REMOTE_READ,   ack0, ''
            A, REMOTE_WRITE,  REMOTE_READ,   atom0, ''
            """)
    void anAccessNeedsTheRightOfTheQueuePairAndOfTheRegion(String packet, String lacking, String regionLacking,
            String response, String event) {
        create(new TestedResponder(7, TestedResponder.ALL_REMOTE & ~right(lacking),
                TestedResponder.ALL_REMOTE & ~right(regionLacking)));
        run(packet);
        assertEquals(response, responder.sent());
        assertEquals(event, events());
    }

    private static int right(String name) {
        return switch (name) {
            case "REMOTE_WRITE" -> Access.REMOTE_WRITE;
            case "REMOTE_READ" -> Access.REMOTE_READ;
            case "REMOTE_ATOMIC" -> Access.REMOTE_ATOMIC;
            default -> 0;
        };
    }

    /**
     * L35, L36, L40: an Error at the last packet fails the queue pair, and the peer learns it from a NAK. A NAK whose
     * PSN is later than the expected one would acknowledge packets that have not arrived. The columns are the packets
     * and the responses.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            o,       op0
            O,       op0
            A,       atom0 op0
            OO.o,    ack1 op2
            R.A,     first0 mid1 last2 atom3 op3
            O.o,     ack0 op1
            """)
    void anUnexpectedErrorIsReportedToThePeer(String scenario, String responses) {
        create(new TestedResponder(Psns.MASK - 1));
        int last = scenario.length() - 1;
        run(scenario.substring(0, last));
        responder.device.wire.failNextSchedule(new AssertionError("thrown by the test"));
        run(scenario.substring(last));
        assertEquals(responses, responder.sent());
        assertEquals("ERR", responder.pair.state().name());
    }

    /** F41, G4, L32: the columns are the packets and the number of bytes that are written to the peer's target. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            o,        20
            fl,       266
            fml,      522
            fm,       512
            f-l,      256
            f-l^l,    266
            fml.=,    522
            fL,       256
            OO.i,     0
            """)
    void theBytesOfAWriteAreWrittenAsFarAsItsPacketsArriveInOrder(String scenario, int bytes) {
        create(new TestedResponder(7));
        run(scenario);
        int written = 0;
        for (byte value : responder.target.asSlice(0, 1024).toArray(JAVA_BYTE)) {
            written += value == 0 ? 0 : 1;
        }
        assertEquals(bytes, written);
    }

    /** F22: the columns are the packets and the value of the word, which each atomic increments. */
    @ParameterizedTest
    @CsvSource({"A, 1", "A.A, 2", "A.=, 1", "A.=.=, 1", "-A, 0", "-A^A, 1", "Q, 0"})
    void anAtomicIsExecutedOnce(String scenario, long value) {
        create(new TestedResponder(Psns.MASK));
        run(scenario);
        assertEquals(value, responder.target.get(JAVA_LONG, 0));
    }

    /** F8, F9: more READs and atomics than max_dest_rd_atomic, which is 2, are requested again. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            RR,      first0 mid1 last2 first3 mid4 last5
            RRR,     first0 mid1 last2 first3 mid4 last5 seq6
            AAA,     atom0 atom1 seq2
            AA.A,    atom0 atom1 atom2
            AAAo,    atom0 atom1 seq2
            AAA.^Ao, atom0 atom1 seq2 atom2 ack3
            """)
    void moreThanTheMaximumOfOutstandingReadsAndAtomicsAreDropped(String scenario, String responses) {
        create(new TestedResponder(7));
        run(scenario);
        assertEquals(responses, responder.sent());
        assertEquals("RTS", responder.pair.state().name());
    }

    /** The columns are the packets and the counters. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            OFMLofmlRA, ''
            -OO,        OUT_OF_SEQUENCE*2 SENT_NAK_SEQUENCE
            o.==,       DUPLICATE_REQUEST*2
            OO.O,       SENT_RNR
            OO.OO,      OUT_OF_SEQUENCE SENT_RNR
            AAA,        TOO_MANY_RD_ATOMIC SENT_NAK_SEQUENCE
            AAAo,       TOO_MANY_RD_ATOMIC OUT_OF_SEQUENCE SENT_NAK_SEQUENCE
            L,          SENT_NAK_INVALID
            LO,         WRONG_STATE SENT_NAK_INVALID
            FMMML,      SENT_NAK_INVALID
            V,          REMOTE_ACCESS
            """)
    void eachFaultIsCounted(String scenario, String counters) {
        create(new TestedResponder(7));
        run(scenario);
        assertEquals(counters, responder.pair.counters());
    }

    /** E17, E18: the columns are the packets, and the bytes at 0, 256 and 521 of the memory of the first request. */
    @ParameterizedTest
    @CsvSource({"FML, F M L", "OFML, O - -", "F-L^ML, F M L", "FmO, F - -"})
    void aMessageIsStoredFromTheStartOfItsReceiveRequest(String scenario, String bytes) {
        create(new TestedResponder(7));
        run(scenario);
        StringBuilder stored = new StringBuilder();
        for (int at : new int[] {0, TestedResponder.MTU, READ_BYTES - 1}) {
            byte value = responder.received(1).get(JAVA_BYTE, at);
            stored.append(stored.isEmpty() ? "" : " ").append(value == 0 ? '-' : (char) value);
        }
        assertEquals(bytes, stored.toString());
    }
}
