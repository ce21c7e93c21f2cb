package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The credits in the responses of a reliable connection's responder. A scenario is a sequence of steps; after each but
 * {@code r}, {@code s} and {@code d}, the responses that are due are sent:
 *
 * <pre>
 * +  a receive request is posted      4  four are
 * O, s  a SEND of one packet arrives  F  the first packet of a SEND     L  the last
 * o  a WRITE of one packet            R, r  a READ of one packet        A  an atomic
 * d  the READ with the first PSN again                                  c  the report of an earlier post, late
 * ^  the peer goes back to the expected PSN                             Z  RESET, and the connection is made again
 * </pre>
 */
final class ResponderCreditsTest {
    private static final int FIRST_PSN = Psns.MASK - 1;

    private final TestedResponder responder = new TestedResponder(FIRST_PSN);
    private int psn;

    private void receive(char step) {
        switch (step) {
            case '+' -> responder.postReceive();
            case '4' -> {
                for (int i = 0; i < 4; i++) {
                    responder.postReceive();
                }
            }
            case 'o' -> responder.write(psn++);
            case 'R', 'r' -> responder.read(psn++, 0, 10, responder.rkey());
            case 'A' -> {
                responder.begin(WireOpcode.FETCH_ADD, psn++, 0, true).atomicEth(responder.address(0),
                        responder.rkey(), 1, 0);
                responder.deliver(0);
            }
            case 'd' -> responder.read(0, 0, 10, responder.rkey());
            case 'c' -> responder.pair.reportPost();
            case '^' -> psn = responder.expectedPsn();
            case 'Z' -> {
                responder.pair.reset();
                responder.pair.connect(BareDevice.PEER, 9, 0, FIRST_PSN);
                psn = 0;
            }
            default -> {
                int opcode = step == 'O' || step == 's'
                        ? WireOpcode.SEND_ONLY
                        : step == 'F' ? WireOpcode.SEND_FIRST : WireOpcode.SEND_LAST;
                responder.begin(opcode, psn++, step == 'F' ? TestedResponder.MTU : 20, true);
                responder.deliver(step);
            }
        }
        if ("rsd".indexOf(step) < 0) {
            responder.takeTurn();
        }
    }

    private static String name(PacketView packet) {
        int syndrome = packet.syndrome();
        return Aeth.isAck(syndrome) ? packet.msn() + "/" + Aeth.credits(syndrome) : "rnr";
    }

    /** L42, L43: the columns are the scenario, and the MSN and the credits of each response; -1 are none. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            4OOOO,   1/3 2/2 3/1 4/0
            44O,     1/6
            4FL,     0/4 1/3
            4oO,     1/4 2/3
            4RAO,    1/4 2/4 3/3
            oo,      1/0 2/0
            o+,      1/0 1/1
            o4O,     1/0 1/1 2/3
            +O+O+,   1/0 1/1 2/0 2/1
            +O+++O,  1/0 1/1 2/2
            +OO+^O,  1/0 rnr 1/1 2/0
            R+,      1/0
            oR+,     1/0 2/0 2/1
            +OZ+o,   1/0 1/1
            or+,     1/0 2/1 2/1
            Rod+,    1/0 2/0 1/1 2/1
            +sO+,    1/0 rnr 1/1
            oc+,     1/0 1/1
            ors+,    1/0 2/1 rnr 2/1
            ors+c,   1/0 2/1 rnr 2/1
            ors+^O,  1/0 2/1 rnr 2/1 3/0
            rs+,     1/1 rnr
            orsR+,   1/0 2/0 rnr 2/1
            """)
    void eachPositiveResponseHasThePostedReceivesAndAPostAfterNoneIsReported(String scenario, String responses) {
        for (char step : scenario.toCharArray()) {
            receive(step);
        }
        assertEquals(responses, responder.device.wire.takeSent().stream().map(ResponderCreditsTest::name)
                .collect(Collectors.joining(" ")));
    }
}
