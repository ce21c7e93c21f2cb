package io.jverbs.soft.management;

import static io.jverbs.soft.management.CmPair.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * K37: the network interface of a device over UDP is a member of the groups that an ID with a queue pair has joined to
 * receive, so that switches forward their packets.
 */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
final class GroupMembershipTest {
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.84.37.1", 0);
    /** The groups of each interface of this host, as hexadecimal numbers in the byte order of the processor. */
    private static final Path INTERFACES = Path.of("/proc/net/igmp");

    @BeforeEach
    void theGroupIsNotJoined() throws Exception {
        awaitNoMember();
    }

    /** Returns how many interfaces are members of the group. */
    private static long members() throws IOException {
        int group = ByteBuffer.wrap(GROUP.getAddress().getAddress()).order(ByteOrder.nativeOrder()).getInt();
        String first = "%08X ".formatted(group);
        return Files.readAllLines(INTERFACES).stream().filter(line -> line.strip().startsWith(first)).count();
    }

    private static void assertMembers(int expected) throws IOException {
        assertEquals(expected, members());
    }

    /** Waits until no interface is a member: the thread that uses the poller of the sockets ends the membership. */
    private static void awaitNoMember() throws Exception {
        long start = System.nanoTime();
        while (members() > 0) {
            assertTrue(System.nanoTime() - start < LONG.toNanos(), "an interface is a member after " + LONG);
            Thread.sleep(1);
        }
    }

    private static SynchronousCmId bound(RdmaContext context) throws InterruptedException {
        SynchronousCmId id = SynchronousCmId.create(context, PortSpace.UDP);
        id.bind(new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0));
        id.createQueuePair(context.allocatePd(),
                QpInitAttributes.builder(QpType.UD).cq(context.createCompletionQueue(2)).build());
        return id;
    }

    @Test
    void theInterfaceIsAMemberUntilTheLastMembershipEnds() throws Exception {
        try (RdmaContext context = Verbs.open(LoopbackAddress.wired())) {
            SynchronousCmId id = bound(context);
            id.joinMulticast(GROUP, false, LONG);
            assertMembers(1);
            id.joinMulticast(GROUP, false, LONG);
            id.id().leaveMulticast(GROUP);
            assertMembers(1);
            id.id().leaveMulticast(GROUP);
            awaitNoMember();
        }
    }

    @Test
    void theInterfaceIsNoMemberForAnIdThatOnlySends() throws Exception {
        try (RdmaContext context = Verbs.open(LoopbackAddress.wired()); SynchronousCmId id = bound(context)) {
            id.joinMulticast(GROUP, true, LONG);
            assertMembers(0);
        }
    }

    @Test
    void theCloseOfTheLastMemberEndsTheMembershipOfTheInterface() throws Exception {
        try (RdmaContext context = Verbs.open(LoopbackAddress.wired())) {
            SynchronousCmId id = bound(context);
            SynchronousCmId other = bound(context);
            id.joinMulticast(GROUP, false, LONG);
            other.joinMulticast(GROUP, false, LONG);
            id.close();
            assertMembers(1);
            other.close();
            awaitNoMember();
        }
    }
}
