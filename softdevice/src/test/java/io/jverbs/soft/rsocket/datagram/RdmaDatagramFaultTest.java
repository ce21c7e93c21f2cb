package io.jverbs.soft.rsocket.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.WrOpcode;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults of the device of a socket: the program learns of them, and no buffer is lost. */
@Timeout(60)
final class RdmaDatagramFaultTest {
    /** More than there are send and receive requests. */
    private static final int MANY = 40;

    @Test
    void datagramsThatAreNotPostedLeaveTheSendQueueAsItWas() throws Exception {
        FaultInjection faults = FaultInjection.of();
        try (DatagramPair pair = DatagramPair.open(faults)) {
            pair.resolve();
            faults.add(FaultRule.failSend(Errno.EINVAL).opcode(WrOpcode.SEND));
            ByteBuffer datagram = ByteBuffer.allocate(100);
            for (int i = 0; i < MANY; i++) {
                String sentence = assertThrows(IOException.class,
                        () -> pair.left().trySend(datagram, pair.right().localAddress())).getMessage();
                assertTrue(sentence.contains("does not send: EINVAL"), sentence);
                assertEquals(100, datagram.remaining(), "it was not sent");
            }
            assertEquals(MANY, pair.left().counters().failedSends());
            faults.clear();
            for (int i = 0; i < MANY; i++) {
                DatagramPair.exchange(pair.left(), pair.right(), i);
            }
        }
    }

    @Test
    void receivesThatAreNotPostedArePostedLater() throws Exception {
        FaultInjection faults = FaultInjection.of();
        try (DatagramPair pair = DatagramPair.open(faults)) {
            pair.resolve();
            DatagramPair.exchange(pair.right(), pair.left(), 0);
            faults.add(FaultRule.failReceive(Errno.ENOMEM));
            for (int i = 0; i < 10; i++) {
                DatagramPair.exchange(pair.right(), pair.left(), i);
            }
            assertTrue(faults.hits().getFirst().fired() > 0);
            faults.clear();
            for (int i = 0; i < MANY; i++) {
                DatagramPair.exchange(pair.right(), pair.left(), i);
            }
        }
    }

    @Test
    void moreDatagramsThanTheReceiverHasBuffersForAreLostAndTheOthersArrive() throws Exception {
        try (DatagramPair pair = DatagramPair.open(FaultInjection.of())) {
            pair.resolve();
            for (int i = 0; i < MANY; i++) {
                pair.left().send(ByteBuffer.allocate(4).putInt(0, i), pair.right().localAddress());
            }
            for (int i = 0; i < 16; i++) {
                assertEquals(i, DatagramPair.receive(pair.right(), pair.left().localAddress()));
            }
            DatagramPair.exchange(pair.left(), pair.right(), MANY);
        }
    }

    @Test
    void datagramsGoOverUdpWhileTheAddressOfThePeerCannotBeResolved() throws Exception {
        FaultInjection faults = FaultInjection.of(FaultRule.failResolution(Errno.EHOSTUNREACH));
        try (DatagramPair pair = DatagramPair.open(faults)) {
            for (int i = 1; i <= 3; i++) {
                int failures = i;
                DatagramPair.exchange(pair.left(), pair.right(), i);
                DatagramPair.await("the failure", () -> pair.left().counters().failedResolutions() == failures);
            }
            assertEquals(3, pair.left().counters().sentOverUdp());
            faults.clear();
            pair.resolve();
            DatagramPair.exchange(pair.left(), pair.right(), 5);
            assertEquals(1, pair.left().counters().sent());
        }
    }
}
