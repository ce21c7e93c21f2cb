package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The states of a memory window: unbound, bound, and closed, and what is permitted in each.
 *
 * <pre>
 * state    event        type 1    type 2
 * UNBOUND  bind         BOUND     BOUND
 * UNBOUND  zero bind    UNBOUND   refused
 * UNBOUND  invalidate   refused   refused
 * BOUND    bind         BOUND     refused
 * BOUND    zero bind    UNBOUND   refused
 * BOUND    invalidate   refused   UNBOUND
 * BOUND    QP destroyed BOUND     UNBOUND
 * any      close        CLOSED    CLOSED
 * CLOSED   any          refused   refused
 * </pre>
 */
final class MemoryWindowTest {
    private static final int OWN_QP = 5;
    private static final int OTHER_QP = 6;
    private static final int BASE = 0x1000;
    private static final int BYTES = 256;

    private final SoftPd domain = new SoftPd(segment -> 0);
    private final SoftPd foreign = new SoftPd(segment -> 0);
    private final KeyTable keyTable = new KeyTable(new KeyNumbers(new Random(1)), 4, 2);
    private final SoftMr region = region(Access.LOCAL_WRITE | Access.MW_BIND);
    private SoftMw window;

    private SoftMr region(int access) {
        return keyTable.register(domain, Arena.ofAuto().allocate(BYTES, 8), access, BASE);
    }

    /** The key of the next bind: that of a type 1 window is chosen by the device, that of type 2 by the program. */
    private int nextKey() {
        return window.type == SoftMw.TYPE_1 ? keyTable.nextKey(window) : window.rkey() & -256 | window.rkey() + 1 & 255;
    }

    private boolean bind(long length) {
        int key = nextKey();
        boolean bound = keyTable.bind(window, key, region, BASE, length, Access.REMOTE_READ, domain, OWN_QP);
        if (bound && window.type == SoftMw.TYPE_1) {
            window.showKey(key);
        }
        return bound;
    }

    private boolean isBound() {
        KeyEntry entry = keyTable.find(window.rkey());
        return entry != null && entry.grants(domain, Access.REMOTE_READ, OWN_QP) && entry.contains(BASE, 1);
    }

    private boolean isClosed() {
        return keyTable.find(window.rkey()) == null;
    }

    private String state() {
        return isBound() ? "BOUND" : isClosed() ? "CLOSED" : "UNBOUND";
    }

    /** Performs a step; returns whether it was permitted. */
    private boolean perform(String step) {
        switch (step) {
            case "bind":
                return bind(BYTES);
            case "zero":
                return bind(0);
            case "invalidate":
                return keyTable.invalidate(window.rkey(), domain, OWN_QP);
            case "destroy":
                keyTable.invalidateAll(OWN_QP);
                return true;
            case "other":
                keyTable.invalidateAll(OTHER_QP);
                return true;
            default:
                keyTable.deallocateWindow(window);
                return true;
        }
    }

    /** B34, B40, B41, B43, B46: the columns are the steps before, the step, and what becomes of the two types. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',              bind,       BOUND,   BOUND
            '',              zero,       UNBOUND, refused
            '',              invalidate, refused, refused
            '',              destroy,    UNBOUND, UNBOUND
            '',              close,      CLOSED,  CLOSED
            bind,            bind,       BOUND,   refused
            bind,            zero,       UNBOUND, refused
            bind,            invalidate, refused, UNBOUND
            bind,            destroy,    BOUND,   UNBOUND
            bind,            other,      BOUND,   BOUND
            bind,            close,      CLOSED,  CLOSED
            bind destroy,    bind,       BOUND,   BOUND
            bind destroy,    invalidate, refused, refused
            bind invalidate, bind,       BOUND,   BOUND
            bind invalidate, invalidate, refused, refused
            bind zero,       bind,       BOUND,   refused
            close,           bind,       refused, refused
            close,           zero,       refused, refused
            close,           invalidate, refused, refused
            close,           close,      CLOSED,  CLOSED
            bind close,      bind,       refused, refused
            bind close,      destroy,    CLOSED,  CLOSED
            """)
    void aStepLeadsToTheNextStateOrIsRefusedAndChangesNothing(String before, String step, String typeOne,
            String typeTwo) {
        for (int type = SoftMw.TYPE_1; type <= SoftMw.TYPE_2; type++) {
            window = keyTable.allocateWindow(domain, type);
            for (String earlier : before.isEmpty() ? new String[0] : before.split(" ")) {
                perform(earlier);
            }
            String expected = type == SoftMw.TYPE_1 ? typeOne : typeTwo;
            String former = state();
            int formerKey = window.rkey();
            boolean permitted = perform(step);
            String what = "type " + type + ": " + step + " after " + before;
            assertEquals(!expected.equals("refused"), permitted, what);
            assertEquals(permitted ? expected : former, state(), what);
            assertEquals(state().equals("BOUND") ? 1 : 0, region.boundWindows, what);
            if (permitted && step.equals("bind")) {
                assertTrue(formerKey != window.rkey() && keyTable.find(formerKey) == null, "the former key is dead");
            }
            keyTable.deallocateWindow(window);
            assertEquals(0, region.boundWindows, what);
        }
    }

    /**
     * B37, B38, B41. The columns are the access of the region (l local write, b bind), that of the window (w remote
     * write, r remote read, a remote atomic, z zero-based), the range from the start of the region, and whether the
     * bind is permitted.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            lb, r,    0,   256, true
            lb, w,    0,   256, true
            lb, a,    0,   256, true
            lb, wra,  0,   256, true
            lb, wraz, 0,   256, true
            lb, -,    0,   256, true
            lb, l,    0,   256, false
            lb, b,    0,   256, false
            b,  r,    0,   256, true
            b,  w,    0,   256, false
            b,  a,    0,   256, false
            b,  ra,   0,   256, false
            l,  r,    0,   256, false
            l,  w,    0,   256, false
            -,  r,    0,   256, false
            lb, r,    0,   257, false
            lb, r,    -1,  256, false
            lb, r,    -1,  1,   false
            lb, r,    255, 1,   true
            lb, r,    255, 2,   false
            lb, r,    256, 1,   false
            lb, r,    1,   9223372036854775807, false
            lb, r,    0,   -1,  false
            """)
    void aBindNeedsTheAccessAndTheRangeOfTheRegion(String regions, String windows, long start, long length,
            boolean permitted) {
        SoftMr target = region(access(regions));
        for (int type = SoftMw.TYPE_1; type <= SoftMw.TYPE_2; type++) {
            window = keyTable.allocateWindow(domain, type);
            assertEquals(permitted, keyTable.bind(window, nextKey(), target, BASE + start, length, access(windows),
                    domain, OWN_QP), "type " + type);
            assertEquals(permitted ? type : 0, target.boundWindows);
        }
    }

    private static int access(String letters) {
        int access = 0;
        for (char letter : letters.toCharArray()) {
            access |= switch (letter) {
                case 'l' -> Access.LOCAL_WRITE;
                case 'w' -> Access.REMOTE_WRITE;
                case 'r' -> Access.REMOTE_READ;
                case 'a' -> Access.REMOTE_ATOMIC;
                case 'b' -> Access.MW_BIND;
                case 'z' -> Access.ZERO_BASED;
                default -> 0;
            };
        }
        return access;
    }

    /** B39: the region, the window and the queue pair belong to one protection domain. */
    @ParameterizedTest
    @CsvSource({"own, own, true", "foreign, own, false", "own, foreign, false", "foreign, foreign, false"})
    void aBindNeedsOneProtectionDomain(String windows, String queuePairs, boolean permitted) {
        window = keyTable.allocateWindow(windows.equals("own") ? domain : foreign, SoftMw.TYPE_2);
        SoftPd user = queuePairs.equals("own") ? domain : foreign;
        assertEquals(permitted,
                keyTable.bind(window, nextKey(), region, BASE, 1, Access.REMOTE_READ, user, OWN_QP));
    }

    /** B43, B44: the columns are the protection domain, the QPN, a change of the key, and the outcome. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            own,     5, 0,        true
            own,     6, 0,        false
            foreign, 5, 0,        false
            own,     5, 1,        false
            own,     5, 128,      false
            own,     5, 256,      false
            own,     5, 16777216, false
            """)
    void aWindowIsInvalidatedByItsKeyOnTheQueuePairThatBoundIt(String queuePairs, int qpNumber, int change,
            boolean permitted) {
        window = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        assertTrue(bind(BYTES));
        SoftPd user = queuePairs.equals("own") ? domain : foreign;
        assertEquals(permitted, keyTable.invalidate(window.rkey() ^ change, user, qpNumber));
        assertEquals(!permitted, isBound());
    }

    /** B41: the upper 24 bits of a key are those of the window; the lower 8 are chosen. */
    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "255, true", "256, false", "-2147483648, false"})
    void aBindNeedsAKeyWithTheNumberOfTheWindow(int change, boolean permitted) {
        window = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        int key = window.rkey() ^ change;
        assertEquals(permitted, keyTable.bind(window, key, region, BASE, 1, Access.REMOTE_READ, domain, OWN_QP));
        assertEquals(permitted ? key : key ^ change, window.rkey());
    }

    /** B16: the columns are the steps before, and the errno of the deregistration and of a change of the region. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',              OK
            bind,            EBUSY
            bind bind,       EBUSY
            bind invalidate, OK
            bind destroy,    OK
            bind close,      OK
            """)
    void aRegionIsBusyWhileAWindowIsBoundToIt(String before, String errno) {
        window = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        for (String step : before.isEmpty() ? new String[0] : before.split(" ")) {
            perform(step);
        }
        var memory = region.entry.segment();
        assertErrno(errno, () -> keyTable.reregister(region, domain, memory, Access.MW_BIND, BASE, false));
        assertErrno(errno, () -> keyTable.deregister(region));
        assertEquals(errno.equals("OK") ? 0 : 1, keyTable.size());
    }

    private static void assertErrno(String expected, Runnable call) {
        if (expected.equals("OK")) {
            call.run();
        } else {
            assertEquals(Errno.valueOf(expected).code(), assertThrows(VerbsException.class, call::run).errno());
        }
    }

    /** B34 */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, -1})
    void aWindowOfAnotherTypeIsRefused(int type) {
        assertErrno("EINVAL", () -> keyTable.allocateWindow(domain, type));
    }

    /** A7 */
    @Test
    void aWindowIsAllocatedUntilTheMaximumAndAgainAfterOneIsClosed() {
        window = keyTable.allocateWindow(domain, SoftMw.TYPE_1);
        keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        assertErrno("ENOMEM", () -> keyTable.allocateWindow(domain, SoftMw.TYPE_2));
        keyTable.deallocateWindow(window);
        keyTable.deallocateWindow(window);
        keyTable.allocateWindow(domain, SoftMw.TYPE_1);
        assertErrno("ENOMEM", () -> keyTable.allocateWindow(domain, SoftMw.TYPE_1));
    }

    @Test
    void aBindToADeregisteredRegionIsRefused() {
        window = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        keyTable.deregister(region);
        assertTrue(!bind(BYTES));
        assertEquals("UNBOUND", state());
    }
}
