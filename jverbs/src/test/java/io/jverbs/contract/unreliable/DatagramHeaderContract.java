package io.jverbs.contract.unreliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.AhAttributes;
import io.jverbs.GidEntry;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.Reply;
import io.jverbs.contract.fixture.Catalogue;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the header before the payload of a datagram, for addresses of both families. */
final class DatagramHeaderContract extends VerbsContract {
    private static final int GRH = 40;
    private static final int IPV4 = 20;
    private static final int TRAFFIC_CLASS = 0xA4;
    private static final int HOP_LIMIT = 77;

    /** Returns an address of the family; the one that other tests use, if it belongs to the family. */
    private static GidEntry address(Side side, boolean ipv4) {
        Optional<GidEntry> found = side.end().queryGidTable(End.MAIN).stream()
                .filter(entry -> entry.port() == Side.PORT && entry.gid().isIpv4Mapped() == ipv4)
                .max(Comparator.comparing(entry -> entry.index() == side.gidIndex()));
        Assumptions.assumeTrue(found.isPresent(), "the device of " + side + " has no address of this family");
        return found.get();
    }

    @ParameterizedTest(name = "IPv4 {0}")
    @ValueSource(booleans = {true, false})
    @Catalogue({"H4", "H13", "H14", "H15"})
    void theHeaderContainsTheAddressesAndAllowsAReply(boolean ipv4) {
        GidEntry from = address(left, ipv4);
        GidEntry to = address(right, ipv4);
        Pair pair = udPair(o -> o.left(l -> l.separateCqs(left)).right(r -> r.separateCqs(right)));
        AhAttributes path = AhAttributes.to(to.gid(), Side.PORT, from.index()).toBuilder()
                .trafficClass(TRAFFIC_CLASS).hopLimit(HOP_LIMIT).build();
        Region sink = right.region(GRH + 8).fill(9);
        pair.right().postRecv(recv(sink.sge()));
        pair.left().succeed(send(left.region(8).fill(1).sge()).to(left.ah(path), pair.right().number(),
                pair.right().options().qkey()));
        Reply reply = right.end().pollForReply(pair.right().recvCq().id(), sink.memory(), 0, Side.PORT, 5_000);

        sink.assertHolds(GRH, 8, 1);
        byte[] header = sink.bytes(0, GRH);
        if (ipv4) {
            assertEquals(0x45, header[IPV4]);
            assertEquals(TRAFFIC_CLASS >> 2, (header[IPV4 + 1] & 0xFF) >> 2);
            assertEquals(HOP_LIMIT, header[IPV4 + 8]);
            assertArrayEquals(lastFour(from), Arrays.copyOfRange(header, IPV4 + 12, IPV4 + 16));
            assertArrayEquals(lastFour(to), Arrays.copyOfRange(header, IPV4 + 16, IPV4 + 20));
        } else {
            assertEquals(6, header[0] >> 4);
            // the lower two bits are used for ECN
            assertEquals(TRAFFIC_CLASS >> 2, ((header[0] & 0xF) << 4 | (header[1] & 0xF0) >> 4) >> 2);
            assertEquals(HOP_LIMIT, header[7]);
            assertArrayEquals(from.gid().toBytes(), Arrays.copyOfRange(header, 8, 24));
            assertArrayEquals(to.gid().toBytes(), Arrays.copyOfRange(header, 24, 40));
        }
        assertEquals(from.gid(), reply.attributes().destination());
        assertEquals(to.index(), reply.attributes().sgidIndex());
    }

    private static byte[] lastFour(GidEntry entry) {
        return Arrays.copyOfRange(entry.gid().toBytes(), 12, 16);
    }
}
