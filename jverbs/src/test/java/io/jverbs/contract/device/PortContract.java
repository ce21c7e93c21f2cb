package io.jverbs.contract.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.LinkLayer;
import io.jverbs.Mtu;
import io.jverbs.PortAttributes;
import io.jverbs.PortState;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.end.End;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests ports: attributes, P_Keys, and the ports of address handles. */
final class PortContract extends VerbsContract {

    /** Returns the number of a port that does not exist: below the first or above the last. */
    private int noPort(boolean behind) {
        return behind ? left.device().portCount() + 1 : 0;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Catalogue("A8")
    void queriesOfAPortThatDoesNotExistAreRefused(boolean behindTheLast) {
        int port = noPort(behindTheLast);
        assertErrno(Errno.EINVAL, () -> left.end().queryPort(End.MAIN, port));
        assertErrno(Errno.EINVAL, () -> left.end().queryPkey(End.MAIN, port, 0));
        assertErrno(Errno.EINVAL, () -> left.end().pkeyIndex(End.MAIN, port, 0xffff));
        assertErrno(Errno.EINVAL, () -> left.end().queryGid(End.MAIN, port, 0));
        assertErrno(Errno.EINVAL, () -> left.end().queryGidEntry(End.MAIN, port, 0), Errno.ENODATA);
    }

    @Test
    @Catalogue("A9")
    void anEthernetPortThatIsUpHasTheAttributesOfRoce() {
        PortAttributes port = left.port();
        assertEquals(PortState.ACTIVE, port.state());
        assertEquals(4, port.state().code());
        assertEquals(LinkLayer.ETHERNET, port.linkLayer());
        assertEquals(2, port.linkLayer().code());
        assertEquals(0, port.lid());
        assertEquals(0, port.smLid());
        assertEquals(0, port.lmc());
        assertTrue(port.gidTableLength() >= 1, port::toString);
        assertTrue(port.pkeyTableLength() >= 1, port::toString);
        assertTrue(port.activeMtu().bytes() <= port.maxMtu().bytes(), port::toString);
    }

    @Test
    @Catalogue("A9")
    void thePortIsDownWhileTheCableIsPulled() {
        Side side = spare();
        requires(side, Ability.PORT_CONTROL);
        side.end().pullCable(Side.PORT);
        assertEquals(PortState.DOWN, side.port().state());
        assertEquals(1, side.port().state().code());
        side.awaitAsync(AsyncEventType.PORT_ERR);
        side.end().plugCable(Side.PORT);
        assertEquals(PortState.ACTIVE, side.port().state());
        side.awaitAsync(AsyncEventType.PORT_ACTIVE);
    }

    @ParameterizedTest
    @CsvSource({"1, 256", "2, 512", "3, 1024", "4, 2048", "5, 4096"})
    @Catalogue("A11")
    void everyPathMtuUpToTheActiveMtuIsAccepted(int code, int bytes) {
        assertEquals(bytes, Mtu.of(code).bytes());
        Pair pair = rcPair(o -> o.upTo(QpState.INIT));
        if (code <= left.port().activeMtu().code()) {
            pair.left().modify(pair.left().options().rtrAttributes(QpType.RC, left, pair.right()).rawMtu(code));
            assertEquals(QpState.RTR, pair.left().state());
        } else {
            assertErrno(Errno.EINVAL, () -> pair.left()
                    .modify(pair.left().options().rtrAttributes(QpType.RC, left, pair.right()).rawMtu(code)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 6, 1024})
    @Catalogue("A11")
    void otherPathMtuCodesAreRefused(int code) {
        Pair pair = rcPair(o -> o.upTo(QpState.INIT));
        assertErrno(Errno.EINVAL, () -> pair.left()
                .modify(pair.left().options().rtrAttributes(QpType.RC, left, pair.right()).rawMtu(code)));
        assertEquals(QpState.INIT, pair.left().state());
    }

    @Test
    @Catalogue("A12")
    void theMaximumMessageSizeIsBetweenOneMtuAndTwoToThe31() {
        PortAttributes port = left.port();
        assertTrue(port.maxMessageSize() >= port.activeMtu().bytes(), port::toString);
        assertTrue(port.maxMessageSize() <= 1L << 31, port::toString);
    }

    @Test
    @Catalogue("A21")
    void theFirstPkeyIsTheDefaultOneAndIsFound() {
        assertEquals(0xffff, left.end().queryPkey(End.MAIN, Side.PORT, 0));
        assertEquals(0, left.end().pkeyIndex(End.MAIN, Side.PORT, 0xffff));
    }

    @Test
    @Catalogue("A21")
    void pkeysBeyondTheTableAreRefused() {
        int length = left.port().pkeyTableLength();
        assertErrno(Errno.EINVAL, () -> left.end().queryPkey(End.MAIN, Side.PORT, length));
        assertErrno(Errno.EINVAL, () -> left.end().queryPkey(End.MAIN, Side.PORT, -1));
    }

    @Test
    @Catalogue("A21")
    void anUnknownPkeyIsNotFoundUntilItIsInTheTable() {
        assertEquals(-1, left.end().pkeyIndex(End.MAIN, Side.PORT, 0x9abc));
        requires(left, Ability.PORT_CONTROL);
        int last = left.port().pkeyTableLength() - 1;
        left.end().setPkey(Side.PORT, last, 0x9abc);
        assertEquals(last, left.end().pkeyIndex(End.MAIN, Side.PORT, 0x9abc));
        assertEquals(0x9abc, left.end().queryPkey(End.MAIN, Side.PORT, last));
    }

    private AhAttributes.Builder path() {
        return AhAttributes.builder().destination(right.gid()).port(Side.PORT).sgidIndex(left.gidIndex());
    }

    @Test
    @Catalogue("A25")
    void anAddressHandleWithoutGlobalRouteIsRefusedOnEthernet() {
        assertErrno(Errno.EINVAL, () -> left.ah(path().global(false).build()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Catalogue("A25")
    void anAddressHandleOnAPortThatDoesNotExistIsRefused(boolean behindTheLast) {
        int port = noPort(behindTheLast);
        assertErrno(Errno.EINVAL, () -> left.ah(path().port(port).build()));
    }

    @Test
    @Catalogue("A25")
    void anAddressHandleKeepsItsDomainBusy() {
        int pd = left.newPd();
        int ah = left.end().createAh(pd, path().build());
        assertErrno(Errno.EBUSY, () -> left.end().destroy(pd));
        left.end().destroy(ah);
        left.end().destroy(pd);
    }
}
