package io.jverbs.contract.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.dsl.CmChannel;
import io.jverbs.contract.dsl.SideCmId;
import io.jverbs.contract.end.CmCommands.CmEventInfo;
import io.jverbs.contract.end.CmCommands.CmParams;
import io.jverbs.contract.fixture.Catalogue;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that private data is never cut: it arrives whole, or the call that passes it is refused. */
final class PrivateDataContract extends CmContract {

    private static byte[] data(int length) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (i % 127 + 1);
        }
        return data;
    }

    private void refused(String operation, PortSpace space, int length, Runnable call) {
        String message = assertErrno(Errno.EINVAL, call::run).getMessage();
        assertTrue(message.contains("the private data has " + (length + 1) + " bytes, allowed are 0 to " + length
                + " for " + operation + " in port space " + space), message);
    }

    private static void assertData(int length, CmEventInfo event) {
        assertArrayEquals(data(length), event.privateData(), () -> Arrays.toString(event.privateData()));
    }

    /** A side passes one byte more than its message holds, and then as many as it holds. */
    @ParameterizedTest
    @CsvSource({"TCP, 56, 196", "UDP, 180, 136"})
    @Catalogue({"K16", "K34", "K52", "K97", "K164"})
    void theDataOfAConnectAndAnAcceptArrivesWholeOrIsRefused(PortSpace space, int ofConnect, int ofAccept) {
        CmChannel client = client();
        CmChannel server = server();
        QpType type = space == PortSpace.TCP ? QpType.RC : QpType.UD;
        SideCmId active = client.create(space).resolve(server.listening(space).address());
        active.createQp(type);
        refused("connect", space, ofConnect, () -> active.connect(CmParams.DEFAULT.data(data(ofConnect + 1))));
        active.connect(CmParams.DEFAULT.data(data(ofConnect)));
        CmEventInfo request = server.expect(CmEventType.CONNECT_REQUEST);
        assertData(ofConnect, request);
        SideCmId passive = new SideCmId(server, request.id());
        passive.createQp(type);
        refused("accept", space, ofAccept, () -> passive.accept(CmParams.DEFAULT.data(data(ofAccept + 1))));
        passive.accept(CmParams.DEFAULT.data(data(ofAccept)));
        assertData(ofAccept, client.expect(CmEventType.ESTABLISHED));
    }

    @ParameterizedTest
    @CsvSource({"TCP, 148, REJECTED", "UDP, 136, UNREACHABLE"})
    @Catalogue({"K16", "K34", "K52", "K164"})
    void theDataOfARejectArrivesWholeOrIsRefused(PortSpace space, int length, CmEventType reported) {
        CmChannel client = client();
        CmChannel server = server();
        SideCmId active = client.create(space).resolve(server.listening(space).address());
        active.createQp(space == PortSpace.TCP ? QpType.RC : QpType.UD);
        active.connect(CmParams.DEFAULT);
        SideCmId passive = server.expectRequest();
        refused("reject", space, length, () -> passive.reject(data(length + 1)));
        passive.reject(data(length));
        assertData(length, client.expect(reported));
    }
}
