package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections wait in FIFO order and can be removed from any position. */
final class PathWindowWaitersTest {
    private final PathWindowWaiters waiters = new PathWindowWaiters();

    private PathWindow.Share join() {
        PathWindow.Share share = new PathWindow.Share(null);
        waiters.addLast(share);
        return share;
    }

    private List<PathWindow.Share> drain() {
        List<PathWindow.Share> order = new ArrayList<>();
        while (!waiters.isEmpty()) {
            order.add(waiters.peekFirst());
            waiters.remove(waiters.peekFirst());
        }
        return order;
    }

    @Test
    void waitersAreInFifoOrder() {
        List<PathWindow.Share> all = List.of(join(), join(), join());
        assertEquals(3, waiters.size());
        assertEquals(all, drain());
        assertNull(waiters.peekFirst());
    }

    @Test
    void removingAWaiterFromAnyPositionKeepsTheOrderOfTheOthers() {
        for (int index = 0; index < 3; index++) {
            List<PathWindow.Share> all = new ArrayList<>(List.of(join(), join(), join()));
            PathWindow.Share removed = all.remove(index);
            waiters.remove(removed);
            assertEquals(2, waiters.size());
            waiters.addLast(removed);
            all.add(removed);
            assertEquals(all, drain());
            assertTrue(waiters.isEmpty());
        }
    }

    @Test
    void theOnlyWaiterIsRemovedAndAddedAgain() {
        PathWindow.Share only = join();
        waiters.remove(only);
        assertEquals(0, waiters.size());
        waiters.addLast(only);
        assertSame(only, waiters.peekFirst());
    }
}
