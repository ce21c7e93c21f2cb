package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.soft.queue.HeldLock;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Checks that deregistration waits for the users that have looked up the key, and for no others. */
final class KeyUsersTest {
    private static final int MANY = 1000;

    private final SoftPd domain = new SoftPd(segment -> 0);
    private final KeyTable keyTable = new KeyTable(new KeyNumbers(new Random(1)), 16, 16);
    private final SoftMr region = register();
    private final AtomicInteger waits = new AtomicInteger();

    private SoftMr register() {
        return keyTable.register(domain, Arena.ofAuto().allocate(8), Access.LOCAL_WRITE | Access.MW_BIND, 0);
    }

    private KeyUser user() {
        KeyUser user = new KeyUser();
        user.guardedBy(new HeldLock(waits::incrementAndGet));
        return user;
    }

    private void use(KeyUser user) {
        assertTrue(keyTable.find(region.rkey()).recordUser(user));
    }

    @Test
    void deregistrationDoesNotWaitForUsersThatHaveNotLookedUpTheKey() {
        keyTable.deregister(region);
        assertEquals(0, waits.get());
    }

    @Test
    void deregistrationWaitsOnceForEachUser() {
        List<KeyUser> users = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            users.add(user());
            use(users.getLast());
        }
        users.forEach(this::use);
        keyTable.deregister(region);
        assertEquals(MANY, waits.get());
    }

    /** B17: an entry is revoked before it leaves the table, so that a half may find it more than once. */
    @Test
    void aRevokedEntryAdmitsNoHalfHoweverOftenItIsFound() {
        KeyUser admitted = user();
        use(admitted);
        KeyEntry entry = region.entry;
        entry.revoke();
        KeyUser refused = user();
        for (int i = 0; i < 3; i++) {
            assertFalse(entry.recordUser(admitted));
            assertFalse(entry.recordUser(refused));
        }
    }

    @Test
    void aUserThatHasLeftIsNeitherWaitedForNorKept() {
        KeyUser living = user();
        use(living);
        KeyUsers kept = new KeyUsers(living, user());
        for (int i = 0; i < MANY; i++) {
            KeyUser user = user();
            use(user);
            kept.add(user);
            user.leave();
        }
        AtomicInteger count = new AtomicInteger();
        kept.forEach(user -> count.incrementAndGet());
        assertTrue(count.get() < MANY / 10, count + " users are kept, only two of which have not left");
        keyTable.deregister(region);
        assertEquals(1, waits.get());
    }

    @Test
    void aRevokedEntryAdmitsNoUser() {
        KeyEntry entry = keyTable.find(region.rkey());
        keyTable.deregister(region);
        assertFalse(entry.recordUser(user()));
    }

    @Test
    void deregistrationWaitsForTheUsersOfWindowsOfTheRegion() {
        SoftMw window = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        int key = window.rkey();
        assertTrue(keyTable.bind(window, key, region, 0, 8, Access.REMOTE_WRITE, domain, 5));
        assertTrue(keyTable.find(key).recordUser(user()));
        assertTrue(keyTable.invalidate(key, domain, 5));
        assertEquals(0, waits.get());
        keyTable.deregister(region);
        assertEquals(1, waits.get());
    }

    @Test
    void destroyingAQueuePairInvalidatesOnlyItsOwnTypeTwoWindows() {
        SoftMw own = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        SoftMw other = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        keyTable.bind(own, own.rkey(), region, 0, 8, Access.REMOTE_READ, domain, 5);
        keyTable.bind(other, other.rkey(), region, 0, 8, Access.REMOTE_READ, domain, 6);
        keyTable.invalidateAll(5);
        assertFalse(keyTable.find(own.rkey()).grants(domain, Access.REMOTE_READ, 5));
        assertTrue(keyTable.find(other.rkey()).grants(domain, Access.REMOTE_READ, 6));
    }

    @Test
    void reregistrationKeepsTheKeyForOtherAccessAndChangesItForOtherMemory() {
        int former = region.rkey();
        KeyEntry entry = keyTable.find(former);
        keyTable.reregister(region, domain, entry.segment(), Access.LOCAL_WRITE, 0, false);
        assertEquals(former, region.rkey());
        keyTable.reregister(region, domain, Arena.ofAuto().allocate(8), Access.LOCAL_WRITE, 0, true);
        assertFalse(former == region.rkey(), "the region still has the key of the previous memory");
        assertNotEquals(region.rkey(), region.lkey());
        assertEquals(region.rkey() >>> Byte.SIZE, region.lkey() >>> Byte.SIZE, "numbers of the two keys");
        assertEquals(null, keyTable.find(former));
    }
}
