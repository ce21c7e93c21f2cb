package io.jverbs.contract.memory;

import io.jverbs.Access;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Window;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests SEND with invalidate: the message invalidates the window, and the window stays valid if the message is not
 * received.
 */
final class SendWithInvalidateContract extends QpStates {

    /** Binds a type 2 window to the whole region, and returns its key. */
    private int bind(Qp qp, Region region) {
        Window window = right.window(MwType.TYPE_2);
        int key = window.nextRkey();
        qp.succeed(window.bind(key, region.range(0, region.length(), Access.REMOTE_WRITE)));
        return key;
    }

    private SendSpec writeThrough(int key, Region region, int seed) {
        return SendSpec.write(region.address(), key, left.region(MESSAGE).fill(seed).sge());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 3000})
    @Catalogue("F38")
    void theMessageArrivesAndTheKeyIsInvalidated(int length) {
        Pair pair = rcPair(this::apart);
        Region region = right.region(MESSAGE);
        int key = bind(pair.right(), region);
        Region sink = right.region(4096);
        pair.right().postRecv(length == 0 ? recv().id(5) : recv(sink.sge()).id(5));
        pair.left().succeed(writeThrough(key, region, 1));
        Region source = left.region(4096).fill(2);
        pair.left().succeed(length == 0 ? SendSpec.sendInv(key) : SendSpec.sendInv(key, source.sge(0, length)));
        expect(pair.right().awaitRecv()).success().id(5).opcode(WcOpcode.RECV).bytes(length).invalidated(key);
        sink.assertHolds(0, length, 2);
        sink.assertZero(length, 4096 - length);
        expect(pair.left().execute(writeThrough(key, region, 3))).status(WcStatus.REM_ACCESS_ERR);
        region.assertHolds(1);
    }

    @Test
    @Catalogue("F38")
    void theKeyStaysValidIfTheMessageFindsNoReceive() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(0));
        Region region = right.region(MESSAGE);
        int key = bind(pair.right(), region);
        expect(pair.left().execute(SendSpec.sendInv(key))).status(WcStatus.RNR_RETRY_EXC_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().assertStays(QpState.RTS);
        // the message was not received, so the peer still expects the first PSN
        pair.left().modify(QpState.RESET);
        pair.left().connect(pair.right());
        pair.left().succeed(writeThrough(key, region, 1));
        region.assertHolds(1);
        pair.right().recvCq().assertQuiet();
    }

    @Test
    @Catalogue("F38")
    void theKeyStaysValidWhileTheMessageWaitsForAReceive() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(1));
        Region region = right.region(MESSAGE);
        int key = bind(pair.right(), region);
        region.fill(4);
        pair.left().post(SendSpec.sendInv(key).signaled().id(1), writeThrough(key, region, 5).signaled().id(2));
        pair.left().sendCq().assertQuiet();
        region.assertHolds(4);
        pair.right().postRecv(recv().id(6));
        expect(pair.right().awaitRecv()).success().id(6).invalidated(key);
        expect(pair.left().awaitSend()).success().id(1);
        // the WRITE behind the message executes after the invalidation
        expect(pair.left().awaitSend()).status(WcStatus.REM_ACCESS_ERR).id(2);
        region.assertHolds(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"another domain", "invalidated before", "of an earlier bind"})
    @Catalogue({"F37", "F35"})
    void aKeyThatIsNotBoundToTheQueuePairFailsTheReceiver(String key) {
        Pair pair = rcPair(o -> apart(o).timeout(shortTimeout()).retry(fewRetries()));
        Region region = right.region(MESSAGE);
        int rkey = switch (key) {
            case "another domain" -> right.window(MwType.TYPE_2, right.newPd()).rkey();
            case "invalidated before" -> {
                int dead = bind(pair.right(), region);
                pair.right().succeed(SendSpec.localInvalidate(dead));
                yield dead;
            }
            default -> bind(pair.right(), region) - 1;
        };
        pair.right().postRecv(recv().id(5), recv().id(6));
        pair.left().post(SendSpec.sendInv(rkey));
        // the result at the sender is device-specific
        expect(pair.right().awaitRecv()).error().id(5);
        assertFlushed(pair.right().recvCq(), 6);
        pair.right().awaitState(QpState.ERR);
    }
}
