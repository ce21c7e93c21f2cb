package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.ffm.call.Errno;
import io.jverbs.ffm.ibverbs.IbvConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the calls to the installed libibverbs that need no device. */
class LibibverbsTest {

    @BeforeEach
    void assumeTheLibraryIsInstalled() {
        Libraries.assumeIbverbs();
    }

    @Test
    void stringsComeFromTheLibrary() {
        assertEquals("success", CompletionCalls.wcStatusStr(IbvConstants.IBV_WC_SUCCESS()));
        assertEquals("active", DeviceCalls.portStateStr(IbvConstants.IBV_PORT_ACTIVE()));
        assertEquals("InfiniBand channel adapter", DeviceCalls.nodeTypeStr(IbvConstants.IBV_NODE_CA()));
        assertEquals("port error", DeviceCalls.eventTypeStr(IbvConstants.IBV_EVENT_PORT_ERR()));
    }

    @Test
    void ratesComeFromTheLibrary() {
        assertEquals(10_000, DeviceCalls.rateToMbps(IbvConstants.IBV_RATE_10_GBPS()));
        assertEquals(16, DeviceCalls.rateToMult(IbvConstants.IBV_RATE_40_GBPS()));
    }

    @Test
    void aDeviceListOrAnErrnoIsReturned() {
        try (var arena = Arena.ofConfined()) {
            var number = arena.allocate(ValueLayout.JAVA_INT);
            long list = DeviceCalls.getDeviceList(number);
            if (list < 0) {
                assertTrue(list == -Errno.ENOSYS || list == -Errno.EPERM, () -> "errno " + -list);
                return;
            }
            int devices = number.get(ValueLayout.JAVA_INT, 0);
            for (int i = 0; i < devices; i++) {
                long device = NativeMemory.getLong(list + (long) i * Long.BYTES);
                assertEquals(DeviceCalls.getDeviceName(device), Fields.deviceName(device));
            }
            assertEquals(0, NativeMemory.getLong(list + (long) devices * Long.BYTES));
            DeviceCalls.freeDeviceList(list);
        }
    }

    @Test
    void theNameOfTheLoadedFileEndsWithTheVersion() {
        if (NativeLibrary.ibverbs() instanceof NativeLibrary.Usable usable && usable.name().equals("libibverbs.so.1")) {
            assertTrue(usable.file().orElseThrow().matches(".*/libibverbs\\.so\\.1(\\.\\d+)*"),
                    () -> usable.file().toString());
        }
    }
}
