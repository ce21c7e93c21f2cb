package io.jverbs.contract.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.GidType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.end.End;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the GID table. */
final class GidContract extends VerbsContract {

    private List<GidEntry> table() {
        return left.end().queryGidTable(End.MAIN);
    }

    /** Returns an index that is in range and whose entry is empty. */
    private int emptyIndex() {
        Set<Integer> used = table().stream().filter(entry -> entry.port() == Side.PORT).map(GidEntry::index)
                .collect(Collectors.toSet());
        int length = left.port().gidTableLength();
        int empty = IntStream.range(0, length).filter(index -> !used.contains(index)).findFirst().orElse(-1);
        Assumptions.assumeTrue(empty >= 0, () -> "all " + length + " entries of the GID table are used");
        return empty;
    }

    /** Returns an index without a GID: of an empty entry, or after or before the table. */
    private int badIndex(String where) {
        return switch (where) {
            case "empty" -> emptyIndex();
            case "behind" -> left.port().gidTableLength();
            default -> -1;
        };
    }

    @Test
    @Catalogue("A13")
    void anEmptyEntryReadsAsZero() {
        assertEquals(Gid.ZERO, left.end().queryGid(End.MAIN, Side.PORT, emptyIndex()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"behind", "before"})
    @Catalogue("A13")
    void anIndexOutsideTheTableIsRefused(String where) {
        assertErrno(Errno.EINVAL, () -> left.end().queryGid(End.MAIN, Side.PORT, badIndex(where)));
    }

    @Test
    @Catalogue("A14")
    void anEmptyEntryHasNoDetails() {
        assertErrno(Errno.ENODATA, () -> left.end().queryGidEntry(End.MAIN, Side.PORT, emptyIndex()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"behind", "before"})
    @Catalogue("A14")
    void detailsOfAnIndexOutsideTheTableAreRefused(String where) {
        assertErrno(Errno.EINVAL, () -> left.end().queryGidEntry(End.MAIN, Side.PORT, badIndex(where)), Errno.ENODATA,
                Errno.ENOENT);
    }

    @Test
    @Catalogue("A14")
    void anEntryContainsPortIndexAndGid() {
        GidEntry preferred = left.end().preferredGid(End.MAIN, Side.PORT);
        GidEntry entry = left.end().queryGidEntry(End.MAIN, Side.PORT, preferred.index());
        assertEquals(preferred, entry);
        assertEquals(Side.PORT, entry.port());
        assertEquals(entry.gid(), left.end().queryGid(End.MAIN, Side.PORT, entry.index()));
        assertFalse(entry.gid().isZero());
    }

    @Test
    @Catalogue("A15")
    void theTableContainsExactlyTheNonEmptyEntries() {
        List<Gid> single = new ArrayList<>();
        for (int port = 1; port <= left.device().portCount(); port++) {
            int length = left.end().queryPort(End.MAIN, port).gidTableLength();
            for (int index = 0; index < length; index++) {
                Gid gid = left.end().queryGid(End.MAIN, port, index);
                if (!gid.isZero()) {
                    single.add(gid);
                    assertEquals(gid, left.end().queryGidEntry(End.MAIN, port, index).gid());
                }
            }
        }
        assertEquals(single, table().stream().map(GidEntry::gid).toList());
        assertFalse(single.isEmpty());
    }

    @Test
    @Catalogue("A16")
    void everyEntryIsOfRoceVersion2() {
        assertEquals(List.of(0, 1, 2),
                List.of(GidType.IB.code(), GidType.ROCE_V1.code(), GidType.ROCE_V2.code()));
        table().forEach(entry -> assertEquals(GidType.ROCE_V2, entry.type(), entry::toString));
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.7, 00000000000000000000ffffc0000207", "fe80::1, fe800000000000000000000000000001",
        "2001:db8::ff00:42:8329, 20010db8000000000000ff0000428329"})
    @Catalogue("A17")
    void aGidFromAnAddressIsTheAddressIpv4Mapped(String address, String bytes) {
        Gid gid = Gid.parse(address);
        assertArrayEquals(HexFormat.of().parseHex(bytes), gid.toBytes());
        assertEquals(gid, Gid.ofAddress(gid.toInetAddress()));
    }

    @Test
    @Catalogue("A17")
    void everyGidConvertsToItsAddress() {
        table().forEach(entry -> assertEquals(entry.gid(), Gid.ofAddress(entry.gid().toInetAddress())));
    }

    @Test
    @Catalogue("A18")
    void theDefaultGidAndTheNodeGuidDeriveFromTheMac() {
        Gid fromMac = Gid.ofMac(new byte[] {0x00, 0x02, (byte) 0xc9, 0x12, 0x34, 0x56});
        assertEquals(Gid.parse("fe80::202:c9ff:fe12:3456"), fromMac);
        Gid first = left.end().queryGid(End.MAIN, Side.PORT, 0);
        assertEquals(0xfe80_0000_0000_0000L, first.high(), first::toString);
        assertEquals(0xfffe, (int) (first.low() >>> 24) & 0xffff, first::toString);
        assertEquals(first.low(), left.device().nodeGuid(), () -> first + " and the node GUID");
    }

    @Test
    @Catalogue("A19")
    void anAddedAddressAppearsAndARemovedOneDisappears() {
        Side side = spare();
        requires(side, Ability.PORT_CONTROL);
        Gid added = Gid.parse("2001:db8::19");
        int index = side.end().addGid(Side.PORT, added);
        assertEquals(added, side.end().queryGid(End.MAIN, Side.PORT, index));
        assertTrue(side.end().queryGidTable(End.MAIN).stream().anyMatch(entry -> entry.gid().equals(added)));
        assertEquals(Side.PORT, side.awaitAsync(AsyncEventType.GID_CHANGE).port());
        side.end().removeGid(Side.PORT, index);
        assertEquals(Gid.ZERO, side.end().queryGid(End.MAIN, Side.PORT, index));
        assertEquals(Side.PORT, side.awaitAsync(AsyncEventType.GID_CHANGE).port());
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty", "behind", "before"})
    @Catalogue("A20")
    void anAddressHandleNeedsASourceGid(String where) {
        assertErrno(Errno.EINVAL, () -> left.ah(AhAttributes.to(right.gid(), Side.PORT, badIndex(where))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty", "behind", "before"})
    @Catalogue("A20")
    void aConnectionNeedsASourceGid(String where) {
        Pair pair = rcPair(o -> o.upTo(QpState.INIT));
        QpOptions options = pair.left().options();
        AhAttributes path = AhAttributes.to(right.gid(), Side.PORT, badIndex(where));
        assertErrno(Errno.EINVAL,
                () -> pair.left().modify(options.rtrAttributes(QpType.RC, left, pair.right()).av(path)));
        assertEquals(QpState.INIT, pair.left().state());
        pair.left().toRtr(pair.right());
    }
}
