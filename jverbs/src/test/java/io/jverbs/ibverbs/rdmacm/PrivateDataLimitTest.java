package io.jverbs.ibverbs.rdmacm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.cm.PortSpace;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many bytes of private data each operation takes. */
class PrivateDataLimitTest {

    @ParameterizedTest
    @CsvSource({"CONNECT, TCP, false, 56, connect in port space TCP",
        "CONNECT, IB, false, 56, connect in port space IB",
        "CONNECT, UDP, false, 180, connect in port space UDP", "CONNECT, TCP, true, 255, connect with iWARP",
        "ACCEPT, TCP, false, 196, accept in port space TCP", "ACCEPT, IPOIB, false, 136, accept in port space IPOIB",
        "ACCEPT, TCP, true, 255, accept with iWARP", "REJECT, TCP, false, 148, reject in port space TCP",
        "REJECT, UDP, false, 136, reject in port space UDP", "REJECT, TCP, true, 255, reject with iWARP"})
    void longerPrivateDataIsRefused(PrivateDataLimit limit, PortSpace portSpace, boolean isIwarp, int max,
            String where) {
        limit.check(new byte[max], portSpace.code(), isIwarp);
        VerbsException refused = assertThrows(VerbsException.class,
                () -> limit.check(new byte[max + 1], portSpace.code(), isIwarp));
        assertEquals(Errno.EINVAL, refused.error());
        String message = "the private data has " + (max + 1) + " bytes, allowed are 0 to " + max + " for " + where;
        assertTrue(refused.getMessage().contains(message), refused::getMessage);
    }
}
