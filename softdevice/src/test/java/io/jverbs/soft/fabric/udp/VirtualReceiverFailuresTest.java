package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.queue.SpinLock;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens after a failure of the virtual thread that receives for others. */
@Timeout(120)
final class VirtualReceiverFailuresTest extends EngineWithWaits {
    private static final long FIRST_PAUSE_NANOS = 4_000_000;

    @Test
    void aRecurringErrorOfTheVirtualThreadLeavesReceivingToTheDeviceThread() throws Exception {
        start(true);
        startWaits(2, 0);
        socket.virtualError = new OutOfMemoryError("no memory for a packet");
        awaitReceiver(false);
        await(() -> socket.virtualCalls > 1);
        int before = socket.virtualCalls;
        Thread.sleep(500);
        int failures = socket.virtualCalls - before;
        assertTrue(failures < 20, () -> failures + " attempts of the virtual thread");
        assertTrue(isReceiver(false));
        socket.virtualError = null;
        await(() -> isReceiver(true));
    }

    /** A lock of the logger may unmount it. */
    @Test
    void theVirtualThreadHandsOverBeforeItLogsAFailure() throws IOException {
        AtomicReference<Boolean> activeWhileLogging = new AtomicReference<>();
        Error failure = new OutOfMemoryError() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                activeWhileLogging.compareAndSet(null, engine.thread().isVirtualActive());
                return "no memory for a packet";
            }
        };
        start(true);
        startWaits(2, 0);
        // without packets, the device's thread makes it active no more
        socket.inVirtualCall = () -> socket.receiving = false;
        socket.virtualError = failure;
        awaitReceiver(false);
        await(() -> activeWhileLogging.get() != null);
        assertFalse(activeWhileLogging.get());
    }

    @Test
    void aVirtualThreadThatWasLateAndHasFailedPausesOnce() {
        create(true);
        ReceiverRole role = new ReceiverRole();
        SocketWait socketWait = new SocketWait(new SpinLock(), role, null);
        VirtualReceiver receiver = new VirtualReceiver(engine, engine.thread(), socketWait, role, poller);
        socket.virtualSpins = true;
        socket.virtualError = new OutOfMemoryError("no memory for a packet");
        receiver.begin(System.nanoTime());
        await(() -> socket.spinning);
        long late = System.nanoTime() + ReceiveThread.CHECK_NANOS;
        assertTrue(receiver.stop(late));
        socket.virtualSpins = false;
        await(() -> isParkedInactive(socket.virtualCaller));
        assertFalse(receiver.mayBegin(late + FIRST_PAUSE_NANOS - 1));
        assertTrue(receiver.mayBegin(late + FIRST_PAUSE_NANOS));
    }
}
