package io.jverbs.contract.queuepair;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that queue pairs of different types do not communicate, even if addresses, numbers, PSNs, Q_Keys and receives
 * match.
 */
final class TransportMismatchContract extends VerbsContract {
    private static final int PSN = 77;

    private QpOptions matching() {
        // RC requests carry no Q_Key: a UD queue pair that took one for a datagram would read 0
        return new QpOptions().psn(PSN).rqPsn(PSN).qkey(0).timeout(silentPeerTimeout()).retry(1);
    }

    @ParameterizedTest
    @CsvSource({"RC, UC", "RC, UD", "UC, RC", "UC, UD", "UD, RC", "UD, UC"})
    @Catalogue({"F33", "G1", "H10"})
    void aMessageOfAnotherTransportIsDropped(QpType sender, QpType receiver) {
        Qp from = left.qp(sender, matching().separateCqs(left));
        Qp to = right.qp(receiver, matching().separateCqs(right));
        from.connect(to);
        to.connect(from);
        Region sink = right.region(128);
        to.postRecv(recv(sink.sge()).id(1));
        SendSpec request = send(left.region(64).fill(1).sge()).id(2);
        expect(from.execute(sender == QpType.UD ? request.to(left.ah(left.pathTo(right)), to.number(), 0) : request))
                .status(sender == QpType.RC ? WcStatus.RETRY_EXC_ERR : WcStatus.SUCCESS).id(2);
        to.recvCq().assertQuiet();
        sink.assertZero();
        to.assertStays(QpState.RTS);
        right.assertNoAsync();
    }
}
