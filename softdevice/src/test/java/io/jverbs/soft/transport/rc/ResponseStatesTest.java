package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.protocol.Psns;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The states of the response to one READ or atomic. A scenario is a sequence of steps:
 *
 * <pre>
 * r    a READ of three packets arrives      a  an atomic arrives
 * s    a packet of the response is sent     k  the response is skipped     c  all responses are discarded
 * g12  the packets from 1 to before 2 are due again
 * </pre>
 */
final class ResponseStatesTest {
    private static final int PACKETS = 3;
    private static final int BYTES = 3000;
    private static final int ORIGINAL = 77;

    private final ResponderResources resources = new ResponderResources();
    private int psn;

    private void run(String scenario) {
        for (String step : scenario.isEmpty() ? new String[0] : scenario.split(" ")) {
            switch (step.charAt(0)) {
                case 'r' -> resources.addRead(psn, PACKETS, 1000, 9, BYTES, 4);
                case 'a' -> resources.addAtomic(psn, ORIGINAL, 4);
                case 's' -> resources.packetSent();
                case 'k' -> resources.skip();
                case 'c' -> resources.clear();
                default -> {
                    int end = step.charAt(2) - '0';
                    resources.addAgain(resources.find(psn), step.charAt(1) - '0', end, end * 1000);
                }
            }
        }
    }

    /** The packet that is sent next, and whether it is the first and the last of the transmission. */
    private String next() {
        if (resources.isEmpty()) {
            return "none";
        }
        int slot = resources.current();
        return resources.next(slot) + (resources.begins(slot) ? " first" : "") + (resources.ends(slot) ? " last" : "");
    }

    /**
     * F12, F22, L32: the columns are the scenario, the packet that is sent next, whether the response was sent
     * completely before, the responses that were never sent completely, and whether a duplicate finds its request.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',              none,         false, 0, false
            r,               0 first,      false, 1, true
            r s,             1,            false, 1, true
            r s s,           2 last,       false, 1, true
            r s s s,         none,         true,  0, true
            r s s s g03,     0 first,      true,  0, true
            r s s s g12,     1 first last, true,  0, true
            r s s s g23,     2 first last, true,  0, true
            r s s s g12 s,   none,         true,  0, true
            r s s s g03 s,   1,            true,  0, true
            r s s s g03 s s, 2 last,       true,  0, true
            r s s s g13 g03, 0 first,      true,  0, true
            r s g03,         0 first,      false, 1, true
            r s g13,         1 first,      false, 1, true
            r s g13 s,       2 last,       false, 1, true
            r s g13 s s,     none,         true,  0, true
            r s s g12,       1 first last, false, 1, true
            r k,             none,         true,  0, false
            r s k,           none,         true,  0, false
            r s s s g03 k,   none,         true,  0, false
            r c,             none,         false, 0, false
            r s s s c,       none,         false, 0, false
            a,               0 first last, false, 1, true
            a s,             none,         true,  0, true
            a s g01,         0 first last, true,  0, true
            a s g01 s,       none,         true,  0, true
            a k,             none,         true,  0, false
            a c,             none,         false, 0, false
            """)
    void aResponseIsDueUntilItIsSentAndAgainWhenItsRequestIsRepeated(String scenario, String next, boolean repeat,
            int unsent, boolean found) {
        for (int first : new int[] {0, 1000, Psns.MASK - 1, Psns.MASK}) {
            psn = first;
            resources.clear();
            run(scenario);
            assertEquals(next, next());
            assertEquals(unsent, resources.unsent());
            int slot = resources.find(psn);
            assertEquals(found, slot >= 0);
            if (found) {
                assertEquals(repeat, resources.isRepeat(slot));
            }
        }
    }

    /** L32: a duplicate is found by each of its PSNs, with what its response needs. */
    @ParameterizedTest
    @ValueSource(ints = {0, 5, Psns.MASK - 2, Psns.MASK - 1, Psns.MASK})
    void aResponseKeepsTheFieldsOfItsRequest(int first) {
        psn = first;
        run("r");
        for (int packet = -1; packet <= PACKETS; packet++) {
            boolean within = packet >= 0 && packet < PACKETS;
            assertEquals(within, resources.find(Psns.add(psn, packet)) >= 0, "packet " + packet);
        }
        int slot = resources.find(psn);
        assertEquals(psn, resources.psn(slot));
        assertEquals(4, resources.msn(slot));
        assertEquals(PACKETS, resources.packets(slot));
        assertEquals(1000, resources.value(slot));
        assertEquals(9, resources.rkey(slot));
        assertEquals(BYTES, resources.length(slot));
        assertEquals(BYTES, resources.endBytes(slot));
        run("s s s g12");
        assertEquals(2000, resources.endBytes(slot));
        assertEquals(BYTES, resources.length(slot));
    }

    /** The columns are the fields of a request at their limits. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0xFFFFFF, 0xFFFFFF, 8388607, -1, -1, 2147483648
            0,        0,        1,       0,  0,  0
            0x800000, 0x7FFFFF, 2,       1,  -2147483648, 1
            """)
    void theFieldsOfARequestDoNotOverlap(String number, String msn, int packets, long address, int rkey, long length) {
        psn = Integer.decode(number);
        resources.addRead(psn, packets, address, rkey, length, Integer.decode(msn));
        int slot = resources.current();
        assertEquals(psn, resources.psn(slot));
        assertEquals(Integer.decode(msn), resources.msn(slot));
        assertEquals(packets, resources.packets(slot));
        assertEquals(address, resources.value(slot));
        assertEquals(rkey, resources.rkey(slot));
        assertEquals(length, resources.length(slot));
        assertTrue(!resources.isAtomic(slot) && !resources.isRepeat(slot));
    }

    /** F22: the original value of an atomic is kept as it was. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1L << 48 | 1L << 49 | 1L << 50})
    void theOriginalValueOfAnAtomicIsKept(long original) {
        resources.addAtomic(7, original, 1);
        resources.packetSent();
        int slot = resources.find(7);
        assertTrue(resources.isAtomic(slot) && resources.isRepeat(slot));
        assertEquals(original, resources.value(slot));
        assertEquals(1, resources.packets(slot));
    }

    /**
     * F8: as many requests are kept as the peer may have outstanding, twice over. The columns are the number of
     * requests that may be outstanding, that are sent, and how many of the oldest are no longer found.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            1,   64,  0
            1,   65,  1
            32,  64,  0
            33,  65,  0
            33,  128, 0
            33,  129, 1
            128, 256, 0
            128, 300, 44
            """)
    void theLatestRequestsAreKept(int outstanding, int sent, int forgotten) {
        resources.reserve(outstanding);
        for (int i = 0; i < sent; i++) {
            resources.addAtomic(i, i, i);
            resources.packetSent();
        }
        for (int i = 0; i < sent; i++) {
            assertEquals(i >= forgotten, resources.find(i) >= 0, "request " + i);
        }
    }
}
