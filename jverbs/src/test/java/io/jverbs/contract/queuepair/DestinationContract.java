package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that invalid destinations are refused before a packet is sent, in the same way for every transport. */
final class DestinationContract extends QpStates {
    private static final Gid IPV4_GROUP = Gid.parse("239.1.2.3");
    private static final Gid IPV6_GROUP = Gid.parse("ff0e::1:2:3");

    /** What Linux devices refuse depends on the routes of the kernel, so only software devices are tested. */
    @BeforeEach
    void requireSoftwareDevice() {
        requires(left, Ability.PORT_CONTROL);
    }

    private boolean ipv4() {
        return left.gid().isIpv4Mapped();
    }

    /** Returns destinations that are invalid for connections and datagrams. */
    private List<Gid> invalidDestinations() {
        return new ArrayList<>(List.of(Gid.ZERO, Gid.parse("0.0.0.0"), Gid.parse("255.255.255.255"),
                Gid.parse(ipv4() ? "fe80::7" : "192.0.2.7"), ipv4() ? IPV6_GROUP : IPV4_GROUP));
    }

    private AhAttributes path(Gid destination) {
        return left.pathTo(right).toBuilder().destination(destination).build();
    }

    private static void assertMessageContains(Gid destination, VerbsFailure failure) {
        assertTrue(failure.getMessage().contains("destination " + destination + " is "), failure::getMessage);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("D17")
    void aConnectionToAnImpossibleDestinationIsRefusedAndNothingChanges(QpType type) {
        Pair pair = leftIn(type, QpState.INIT);
        QpAttr attributes = pair.left().options().rtrAttributes(type, left, pair.right());
        QpAttr before = pair.left().query();
        List<Gid> refused = invalidDestinations();
        refused.addAll(List.of(IPV4_GROUP, IPV6_GROUP));
        for (Gid destination : refused) {
            assertMessageContains(destination,
                    assertErrno(Errno.EINVAL, () -> pair.left().modify(attributes.av(path(destination)))));
            assertEquals(before, pair.left().query(), () -> "attributes after the refusal of " + destination);
        }
        pair.left().modify(attributes.av(left.pathTo(right)));
    }

    @Test
    @Catalogue("D17")
    void changingThePathInSqdToAnImpossibleDestinationIsRefused() {
        Pair pair = rcPair();
        pair.left().modify(QpState.SQD);
        pair.left().awaitDrained();
        for (Gid destination : invalidDestinations()) {
            assertMessageContains(destination, assertErrno(Errno.EINVAL,
                    () -> pair.left().modify(QpAttr.to(QpState.SQD).av(path(destination)))));
        }
        pair.left().modify(QpState.RTS);
        pair.left().succeed(write(right.region(8), left.region(8).sge()));
    }

    @Test
    @Catalogue("A25")
    void anAddressHandleToAnImpossibleDestinationIsRefused() {
        for (Gid destination : invalidDestinations()) {
            assertMessageContains(destination,
                    assertErrno(Errno.EINVAL, () -> left.end().createAh(left.pd(), path(destination))));
        }
    }

    @Test
    @Catalogue({"A25", "H20"})
    void anAddressHandleToAGroupOfTheSourcesFamilyIsCreated() {
        left.end().createAh(left.pd(), path(ipv4() ? IPV4_GROUP : IPV6_GROUP));
        left.end().createAh(left.pd(), left.pathTo(right));
    }
}
