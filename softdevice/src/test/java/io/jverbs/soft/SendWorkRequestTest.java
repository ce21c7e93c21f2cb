package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.RdmaContext;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WrOpcode;
import org.junit.jupiter.api.Test;

/** A setter of a send request that refuses its arguments leaves the request unchanged. */
final class SendWorkRequestTest {
    /** B39: a bind needs both a window and a range to bind it to. */
    @Test
    void aBindWithoutAWindowOrARangeChangesNothing() {
        try (RdmaContext context = Verbs.select("soft").open()) {
            ProtectionDomain pd = context.allocatePd();
            MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE | Access.MW_BIND);
            MwBind whole = new MwBind(region, region.address(), region.length(), Access.REMOTE_READ);
            MemoryWindow window = pd.allocateMemoryWindow(MwType.TYPE_2);
            SendWorkRequest request = SendWorkRequest.create(0);
            assertThrows(NullPointerException.class, () -> request.bind(window, window.rkey(), null));
            assertNull(request.memoryWindow());
            assertThrows(NullPointerException.class, () -> request.bind(null, window.rkey(), whole));
            assertNull(request.bindRegion());
            assertEquals(WrOpcode.SEND, request.opcode());
            request.bind(window, window.rkey(), whole);
            assertSame(window, request.memoryWindow());
            assertSame(region, request.bindRegion());
        }
    }
}
