package io.jverbs.contract.connection;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.CmChannel;
import io.jverbs.contract.dsl.SideCmId;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.end.CmCommands.CmEventInfo;
import io.jverbs.contract.end.CmCommands.CmParams;
import io.jverbs.contract.end.End;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Base of the contract classes of the connection manager: the left side connects, the right side listens. */
abstract class CmContract extends VerbsContract {

    /** A connection, and the queue pairs of both ends. */
    record Connection(SideCmId active, SideCmId passive, Qp left, Qp right) {

        Pair pair() {
            return new Pair(left, right, End.NONE, End.NONE);
        }

        CmChannel client() {
            return active.channel();
        }

        CmChannel server() {
            return passive.channel();
        }
    }

    final CmChannel client() {
        return new CmChannel(left);
    }

    final CmChannel server() {
        return new CmChannel(right);
    }

    /** Connects two IDs that have queue pairs. */
    final Connection connect(CmParams request, CmParams response) {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId listener = server.listening(PortSpace.TCP);
        SideCmId active = client.create(PortSpace.TCP).resolve(listener.address());
        Qp leftQp = active.createQp(QpType.RC);
        active.connect(request);
        SideCmId passive = server.expectRequest();
        Qp rightQp = passive.createQp(QpType.RC);
        passive.accept(response);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        return new Connection(active, passive, leftQp, rightQp);
    }

    final Connection connect() {
        return connect(CmParams.DEFAULT, CmParams.DEFAULT);
    }

    /** Resolves the address of a listener, creates the queue pair, and connects. */
    final SideCmId connecting(CmChannel client, SideCmId listener, CmParams parameters) {
        SideCmId active = client.create(PortSpace.TCP).resolve(listener.address());
        active.createQp(QpType.RC);
        active.connect(parameters);
        return active;
    }

    /** Returns the first bytes of the private data as text; the others must be 0. */
    static String text(CmEventInfo event, int length) {
        byte[] data = event.privateData();
        for (int i = length; i < data.length; i++) {
            if (data[i] != 0) {
                throw new AssertionError("byte " + i + " is " + data[i] + ", expected 0: " + Arrays.toString(data));
            }
        }
        return new String(data, 0, length, StandardCharsets.US_ASCII);
    }

    static void awaitError(Qp qp) {
        qp.awaitState(QpState.ERR);
    }
}
