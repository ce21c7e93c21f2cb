package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread may block in the poller of the sockets. The thread of the test waits for events. */
@Timeout(60)
class ReceiverRoleTest {
    private static final long SHORT_ABSENCE_NANOS = 100_000;

    private final ReceiverRole role = new ReceiverRole();
    private final ExecutorService device = Executors.newSingleThreadExecutor();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    /** The latest leader has left between these times. */
    private long beforeLeft;
    private long afterLeft;

    @BeforeEach
    void begin() throws Exception {
        role.deviceThread(in(device, Thread::currentThread));
    }

    @AfterEach
    void end() {
        device.shutdownNow();
        other.shutdownNow();
    }

    private static <T> T in(ExecutorService thread, Callable<T> step) throws InterruptedException, ExecutionException {
        return thread.submit(step).get();
    }

    private boolean leads() {
        return role.lead(System.nanoTime());
    }

    private boolean deviceTakes() throws Exception {
        return in(device, role::take);
    }

    @Test
    void theRoleIsFreeAtFirst() {
        assertFalse(role.isLed());
        assertFalse(role.isMine());
        assertFalse(role.isLeaderExpected());
        assertEquals(0, role.terms());
    }

    @Test
    void aLeaderHoldsTheRoleUntilItLeaves() throws Exception {
        assertTrue(leads());

        assertTrue(role.isLed() && role.isMine());
        assertFalse(in(other, role::isMine));
        assertFalse(in(other, this::leads));
        assertFalse(deviceTakes());
        assertTrue(role.isMine());

        role.endLead();
        assertFalse(role.isLed() || role.isMine());
        assertTrue(in(other, this::leads));
        assertTrue(role.isLed());
        assertFalse(role.isMine());
    }

    @Test
    void theThreadOfTheDeviceHoldsTheRoleUntilItGivesIt() throws Exception {
        assertTrue(deviceTakes());

        assertFalse(role.isLed());
        assertTrue(in(device, role::isMine));
        assertFalse(deviceTakes());
        assertFalse(leads());

        role.give();
        assertTrue(leads());
    }

    @Test
    void onlyLeadersHaveTerms() throws Exception {
        deviceTakes();
        leads();
        assertEquals(0, role.terms());
        role.give();
        for (int i = 1; i <= 3; i++) {
            leads();
            assertEquals(i, role.terms());
            leads();
            role.endLead();
        }
        assertEquals(3, role.terms());
    }

    @Test
    void anExpectationIsTakenOnceAndEndsWhenALeaderLeaves() throws Exception {
        deviceTakes();
        assertFalse(role.takeLeaderExpected());
        role.expectLeader();
        role.expectLeader();
        assertTrue(role.isLeaderExpected());
        assertTrue(role.takeLeaderExpected());
        assertFalse(role.isLeaderExpected());
        assertFalse(role.takeLeaderExpected());

        role.expectLeader();
        role.give();
        leads();
        assertTrue(role.isLeaderExpected());
        role.endLead();
        assertFalse(role.isLeaderExpected());
    }

    @Test
    void twoFollowersAreMany() {
        assertFalse(role.hasFollowers());
        role.followerAdded(false);
        assertTrue(role.hasFollowers());
        assertFalse(role.hasManyFollowers());
        role.followerAdded(false);
        assertTrue(role.hasManyFollowers());
        role.followerRemoved(false);
        assertFalse(role.hasManyFollowers());
        role.followerRemoved(false);
        assertFalse(role.hasFollowers());
    }

    @Test
    void twoVirtualFollowersAreManyVirtualOnes() {
        role.followerAdded(false);
        role.followerAdded(false);
        assertFalse(role.hasVirtualFollowers());
        role.followerAdded(true);
        assertTrue(role.hasVirtualFollowers());
        assertFalse(role.hasManyVirtualFollowers());
        role.followerAdded(true);
        assertTrue(role.hasManyVirtualFollowers());
        role.followerRemoved(true);
        assertFalse(role.hasManyVirtualFollowers());
        role.followerRemoved(true);
        assertFalse(role.hasVirtualFollowers());
        assertTrue(role.hasManyFollowers());
    }

    /** Leads for a term; returns whether the thread of the device must receive after it. */
    private boolean term(long waitBegan) {
        assertTrue(role.lead(waitBegan));
        beforeLeft = System.nanoTime();
        boolean mustReceive = role.endLead();
        afterLeft = System.nanoTime();
        return mustReceive;
    }

    /** The wait of the leader begins just so long after the latest term that its absence is long. */
    private boolean termAfterLongAbsence() {
        return term(afterLeft + SHORT_ABSENCE_NANOS + 1);
    }

    /** The wait of the leader begins as late after the latest term as is certainly a short absence. */
    private boolean termAfterShortAbsence() {
        return term(beforeLeft + SHORT_ABSENCE_NANOS);
    }

    /** Leads until the role expects short absences. */
    private void begun() {
        term(System.nanoTime());
        for (int i = 0; i < 10; i++) {
            termAfterShortAbsence();
        }
    }

    @Test
    void theThreadOfTheDeviceReceivesAfterATermWithManyFollowers() {
        begun();
        role.followerAdded(false);
        role.followerAdded(false);

        assertTrue(termAfterShortAbsence());
    }

    @Test
    void withAFollowerItReceivesOnlyIfAbsencesAreMostlyLong() {
        begun();
        role.followerAdded(false);
        assertFalse(termAfterShortAbsence());
        assertFalse(termAfterLongAbsence());
        assertTrue(termAfterLongAbsence());
        assertFalse(termAfterShortAbsence());
        assertTrue(termAfterLongAbsence());
    }

    @Test
    void withoutAFollowerItDoesNotReceiveAlsoIfAbsencesAreLong() {
        begun();
        for (int i = 0; i < 20; i++) {
            assertFalse(termAfterLongAbsence());
        }
        role.followerAdded(false);
        assertTrue(termAfterLongAbsence());
    }

    @Test
    void afterManyLongAbsencesSevenShortOnesSuffice() {
        begun();
        role.followerAdded(false);
        for (int i = 0; i < 100; i++) {
            termAfterLongAbsence();
        }
        for (int i = 0; i < 6; i++) {
            assertTrue(termAfterShortAbsence());
        }
        assertFalse(termAfterShortAbsence());
    }
}
