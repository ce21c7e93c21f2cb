package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Enhanced connection establishment: the options that messages carry, and the rejection of a vendor's options. */
final class EceTest {
    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final CmHost client = new CmHost(network, 1);
    private final CmHost server = new CmHost(network, 2);

    private static CmParameters parameters(int qpn) {
        return new CmParameters(new byte[0], 1, 1, false, 5, 6, false, qpn, 0);
    }

    private static CmIdOps child(CmEventData event) {
        return event.id();
    }

    private static CmIdOps id(CmHost host, boolean isConnected) {
        return isConnected ? host.id() : host.datagramId();
    }

    /** The options of ECE that a message carries; null for other messages. */
    private static Ece ece(ManagementDatagram mad) {
        return switch (CmMessage.decode(mad)) {
            case ConnectRequest request -> request.ece();
            case ConnectReply reply -> reply.ece();
            case SidrReply reply -> reply.ece();
            default -> null;
        };
    }

    /** K145, K147: a SIDR_REQ carries no options. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void eachSideGetsTheEceOptionsThatThePeersMessageCarries(boolean isConnected) {
        List<Ece> carried = new ArrayList<>();
        network.filter((mad, path) -> {
            Ece ece = ece(mad);
            if (ece != null) {
                carried.add(ece);
            }
            return true;
        });
        server.listen(id(server, isConnected), server.address(CmHost.PORT), 1);
        CmIdOps active = client.resolve(id(client, isConnected), server);
        active.localEce(new CmIdOps.Ece(0xABCDEF, 0x81234567));
        assertEquals(CmIdOps.Ece.NONE, active.remoteEce());
        active.connect(parameters(100));
        CmIdOps passive = child(server.next(CmEventType.CONNECT_REQUEST));
        assertEquals(isConnected ? new CmIdOps.Ece(0xABCDEF, 0x81234567) : CmIdOps.Ece.NONE, passive.remoteEce());
        passive.localEce(new CmIdOps.Ece(0xABCDEF, 7));
        passive.accept(parameters(200));
        client.next(isConnected ? CmEventType.CONNECT_RESPONSE : CmEventType.ESTABLISHED);
        assertEquals(new CmIdOps.Ece(0xABCDEF, 7), active.remoteEce());
        assertEquals(isConnected
                ? List.of(new Ece(0xABCDEF, 0x81234567), new Ece(0xABCDEF, 7))
                : List.of(new Ece(0xABCDEF, 7)), carried);
    }

    /** K145: without options, the fields are 0. */
    @Test
    void messagesOfIdsWithoutEceCarryNone() {
        server.listen(server.address(CmHost.PORT), 1);
        CmIdOps active = client.connect(server, parameters(100));
        CmIdOps passive = child(server.next(CmEventType.CONNECT_REQUEST));
        passive.accept(parameters(200));
        client.next(CmEventType.CONNECT_RESPONSE);
        assertEquals(CmIdOps.Ece.NONE, passive.remoteEce());
        assertEquals(CmIdOps.Ece.NONE, active.remoteEce());
    }

    /** K114: 35 is VENDOR_OPTION_NOT_SUPPORTED; a UD ID rejects with 28 only. */
    @ParameterizedTest
    @CsvSource({"28, true, 28", "35, true, 35", "8, true, 0", "28, false, 2", "35, false, 0"})
    void aProgramRejectsWithTheReasonsThatLinuxAllows(int reason, boolean isConnected, int status) {
        server.listen(id(server, isConnected), server.address(CmHost.PORT), 1);
        CmIdOps active = client.resolve(id(client, isConnected), server);
        active.connect(parameters(100));
        CmIdOps passive = child(server.next(CmEventType.CONNECT_REQUEST));
        if (status == 0) {
            VerbsException refusal = assertThrows(VerbsException.class, () -> passive.reject(reason, new byte[0]));
            assertEquals(Errno.EINVAL, refusal.error());
        } else {
            passive.reject(reason, new byte[0]);
            assertEquals(status,
                    client.next(isConnected ? CmEventType.REJECTED : CmEventType.UNREACHABLE).status());
        }
    }
}
