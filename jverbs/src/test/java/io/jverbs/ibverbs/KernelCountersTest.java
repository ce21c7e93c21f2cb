package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the counters of a device with a simulated directory in sysfs. */
class KernelCountersTest {
    @TempDir
    private Path folder;

    private KernelCounters counters() {
        return new KernelCounters("mlx5_0", folder);
    }

    private void write(String file, String value) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, value + "\n");
    }

    @Test
    void aPortHasTheCountersOfBothDirectories() throws IOException {
        write("ports/1/hw_counters/rcvd_pkts", "12");
        write("ports/1/counters/port_rcv_data", "9223372036854775807");
        write("ports/2/hw_counters/rcvd_pkts", "30");
        assertEquals(Map.of("rcvd_pkts", 12L, "port_rcv_data", Long.MAX_VALUE), counters().snapshot(1));
        assertEquals(Map.of("rcvd_pkts", 30L), counters().snapshot(2));
    }

    @Test
    void theDeviceHasTheSumsOfItsPortsAndItsOwnCounters() throws IOException {
        write("ports/1/hw_counters/rcvd_pkts", "12");
        write("ports/2/hw_counters/rcvd_pkts", "30");
        write("hw_counters/ah_errors", "7");
        assertEquals(Map.of("rcvd_pkts", 42L, "ah_errors", 7L), counters().snapshot());
    }

    @Test
    void settingsAndUnsupportedCountersAreLeftOut() throws IOException {
        write("ports/1/hw_counters/lifespan", "10");
        write("ports/1/counters/port_xmit_wait", "N/A (no PMA)");
        write("ports/1/counters/symbol_error", "");
        write("ports/1/counters/excessive", "99999999999999999999");
        assertEquals(Map.of(), counters().snapshot(1));
    }

    @Test
    void theConnectionManagersMessagesAreCountedByKindAndTogether() throws IOException {
        write("ports/1/cm_tx_msgs/req", "5");
        write("ports/1/cm_tx_msgs/rtu", "2");
        write("ports/1/cm_rx_duplicates/rep", "1");
        write("ports/2/cm_tx_msgs/req", "10");
        assertEquals(Map.of("cm_tx_msgs", 7L, "cm_tx_msgs/req", 5L, "cm_tx_msgs/rtu", 2L, "cm_rx_duplicates", 1L,
                "cm_rx_duplicates/rep", 1L), counters().snapshot(1));
        assertEquals(Map.of("cm_tx_msgs", 17L, "cm_tx_msgs/req", 15L, "cm_tx_msgs/rtu", 2L, "cm_rx_duplicates", 1L,
                "cm_rx_duplicates/rep", 1L), counters().snapshot());
    }

    @Test
    void anAbsentPortIsRefused() throws IOException {
        write("ports/1/hw_counters/rcvd_pkts", "12");
        for (int port : List.of(0, 2, -1)) {
            VerbsException refused = assertThrows(VerbsException.class, () -> counters().snapshot(port));
            assertEquals(Errno.EINVAL, refused.error());
            assertTrue(refused.getMessage().contains("port " + port + " does not exist on mlx5_0; its ports are [1]"),
                    refused::getMessage);
        }
    }

    @Test
    void aRemovedDeviceIsReportedAsEnodev() {
        VerbsException refused = assertThrows(VerbsException.class, () -> counters().snapshot());
        assertEquals(Errno.ENODEV, refused.error());
        assertTrue(refused.getMessage().contains("device mlx5_0 no longer exists"), refused::getMessage);
    }
}
