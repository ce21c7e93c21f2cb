package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.control.CmIdSnapshot;
import io.jverbs.control.DeviceCounters;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the device reports of its CM IDs. */
@Timeout(60)
final class CmIdSnapshotTest {

    private static List<CmIdSnapshot> snapshots(CmPair.Side side) {
        return side.context.device().capability(DeviceCounters.class).orElseThrow().cmIds();
    }

    private static String text(InetSocketAddress address) {
        return address.toString().substring(1);
    }

    private static CmIdSnapshot of(String state, CmId id, boolean hasPeer) {
        return new CmIdSnapshot("TCP", state, text(id.localAddress()), hasPeer ? text(id.peerAddress()) : "");
    }

    @Test
    void theIdsOfADeviceHaveTheStatesOfTheirConnections() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP)) {
            assertEquals(List.of(of("LISTEN", pair.listener.id(), false)), snapshots(pair.serverSide));
            assertEquals(List.of(of("ROUTE_RESOLVED", pair.client.id(), true)), snapshots(pair.clientSide));
            try (SynchronousCmId idle = SynchronousCmId.create(pair.clientSide.context, PortSpace.UDP);
                    SynchronousCmId server = pair.connect()) {
                assertEquals(
                        List.of(of("ESTABLISHED", pair.client.id(), true), new CmIdSnapshot("UDP", "IDLE", "", "")),
                        snapshots(pair.clientSide));
                assertEquals(List.of(of("LISTEN", pair.listener.id(), false), of("ESTABLISHED", server.id(), true)),
                        snapshots(pair.serverSide));
                assertEquals(0, idle.id().port());
            }
        }
    }
}
