package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.control.PortControl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Catalogue A19: the index of a removed GID is not given to another GID while an object uses it. */
final class GidInUseTest {
    private static final Gid FIRST = Gid.parse("fd00::1");
    private static final Gid SECOND = Gid.parse("fd00::2");
    private static final Gid PEER = Gid.parse("fd00::99");

    private final RdmaContext context = Verbs.open("soft:sim0?seed=1&network=gids");
    private final ProtectionDomain pd = context.allocatePd();
    private final CompletionQueue cq = context.createCompletionQueue(4);
    private final PortControl ports = context.capability(PortControl.class).orElseThrow();
    private final int index = ports.addGid(1, FIRST);

    @AfterEach
    void close() {
        context.close();
    }

    private QueuePair queuePairThatUsesTheIndex() {
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.UC).cq(cq).build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(Access.REMOTE_WRITE)
                .build());
        qp.modify(QpAttributes.builder().state(QpState.RTR).addressVector(AhAttributes.to(PEER, 1, index))
                .pathMtu(Mtu.MTU_1024).destinationQpn(5).rqPsn(0).build());
        return qp;
    }

    private void assertKept() {
        ports.removeGid(1, index);
        int other = ports.addGid(1, SECOND);
        assertNotEquals(index, other);
        ports.removeGid(1, other);
    }

    private void assertFree() {
        assertEquals(index, ports.addGid(1, SECOND));
    }

    @Test
    void anAddressHandleKeepsTheIndexUntilItIsClosed() {
        AddressHandle handle = pd.createAddressHandle(AhAttributes.to(PEER, 1, index));
        assertKept();
        handle.close();
        assertFree();
    }

    @Test
    void aQueuePairKeepsTheIndexUntilItIsClosed() {
        QueuePair qp = queuePairThatUsesTheIndex();
        assertKept();
        qp.close();
        assertFree();
    }

    @Test
    void aQueuePairKeepsTheIndexUntilItIsReset() {
        QueuePair qp = queuePairThatUsesTheIndex();
        assertKept();
        qp.modify(QpAttributes.builder().state(QpState.RESET).build());
        assertFree();
    }

    @Test
    void theClosedContextKeepsNoIndex() {
        pd.createAddressHandle(AhAttributes.to(PEER, 1, index));
        queuePairThatUsesTheIndex();
        assertKept();
        try (RdmaContext other = context.device().open()) {
            context.close();
            assertEquals(index, other.capability(PortControl.class).orElseThrow().addGid(1, SECOND));
        }
    }

    @Test
    void aRefusedAddressHandleKeepsNoIndex() {
        assertThrows(VerbsException.class, () -> pd.createAddressHandle(AhAttributes.to(Gid.ZERO, 1, index)));
        ports.removeGid(1, index);
        assertFree();
    }

    @Test
    void aRefusedTransitionKeepsNoIndex() {
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.UC).cq(cq).build());
        assertThrows(VerbsException.class, () -> qp.modify(QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(PEER, 1, index)).build()));
        ports.removeGid(1, index);
        assertFree();
    }
}
