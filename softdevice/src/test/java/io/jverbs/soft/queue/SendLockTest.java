package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which locks a requester holds. Its lock is its own one (O), or that of a peer's responder (1 or 2). A scenario is a
 * sequence of letters:
 *
 * <pre>
 * a  acquire     r  release     1, 2  share the lock of a responder     t  take the own lock back
 * </pre>
 */
final class SendLockTest {
    private static final class Lock extends SendLock {}

    private final Lock lock = new Lock();
    private final Map<Character, SpinLock> responders = Map.of('1', new SpinLock(), '2', new SpinLock());
    private boolean shared;

    private void run(String scenario) {
        for (char step : scenario.toCharArray()) {
            switch (step) {
                case 'a' -> lock.acquire();
                case 'r' -> lock.release();
                case 't' -> {
                    assertEquals(shared, lock.takeBack(), scenario);
                    shared = false;
                }
                default -> {
                    lock.share(responders.get(step));
                    shared = true;
                }
            }
        }
    }

    private static boolean isFree(SpinLock responder) {
        boolean free = responder.tryLock();
        if (free) {
            responder.unlock();
        }
        return free;
    }

    /** The columns are the scenario, the lock in use, and the responders' locks that are held. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',        O, ''
            a,         O, ''
            ar,        O, ''
            a1,        1, 1
            a1r,       1, ''
            a1ra,      1, 1
            a11r,      1, ''
            a1rar,     1, ''
            a1t,       O, ''
            a1tr,      O, ''
            a1rat,     O, ''
            a1ratr,    O, ''
            at,        O, ''
            a1t2,      2, 2
            a1t2r,     2, ''
            a1ratr,    O, ''
            a1rat2r,   2, ''
            a1rat2ra,  2, 2
            a1t1t1tr,  O, ''
            """)
    void aRequesterHoldsItsOwnLockOrThatOfItsPeersResponder(String scenario, char inUse, String held) {
        run(scenario);
        responders.forEach((name, responder) -> assertEquals(!held.equals(name.toString()), isFree(responder),
                "lock " + name));
        // whatever happened: the next acquisition, by this thread, succeeds
        if (!scenario.isEmpty() && scenario.lastIndexOf('r') < scenario.lastIndexOf('a')) {
            lock.release();
        }
        lock.acquire();
        responders.forEach((name, responder) -> assertEquals(inUse == name, responder.isHeldByCurrentThread(),
                "lock " + name));
        lock.release();
        responders.forEach((name, responder) -> assertTrue(isFree(responder), "lock " + name));
    }

    /** The lock of the own responder stays held, that of a peer's responder is released. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            a,    1, true
            a1ra, 1, true
            a1ra, 2, false
            """)
    void takingBackUnderBothLocksKeepsTheOwnRespondersLock(String scenario, char own, boolean sharedIsHeld) {
        run(scenario);
        SpinLock receiving = responders.get(own);
        if (!receiving.isHeldByCurrentThread()) {
            receiving.lock();
        }
        lock.takeBackBoth(receiving);
        assertFalse(lock.takeBack());
        assertEquals(!sharedIsHeld, isFree(responders.get('1')));
    }

    @Test
    void theReleaseOfAFreeLockIsNotAwaited() {
        lock.awaitRelease();
        run("a1r");
        lock.awaitRelease();
        assertTrue(isFree(responders.get('1')));
    }
}
