package io.jverbs.soft.faults;

import io.jverbs.Gid;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.CmMessageType;
import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.DisconnectReply;
import io.jverbs.soft.management.message.DisconnectRequest;
import io.jverbs.soft.management.message.Ece;
import io.jverbs.soft.management.message.IpCmHeader;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.management.message.MessageReceiptAck;
import io.jverbs.soft.management.message.PathFields;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.ReadyToUse;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;
import java.util.Arrays;
import java.util.Random;

/**
 * Generates messages of the connection manager with arbitrary contents: well-formed ones of each kind, to services that
 * exist or not, with IDs that the device has sent or not; and such messages with other bytes.
 */
public final class HostileMessages {
    private static final long TCP = 0x0106_0000L;
    private static final long UDP = 0x0111_0000L;
    private static final int QKEY = 0x0123_4567;
    private static final long IPV4 = 0xFFFF_0000_0000L;
    private static final int KINDS = 9;
    private static final int KNOWN = 256;
    private static final int GUIDS = 64;
    private static final int QPN_MASK = 0xFF_FFFF;
    /** The code of the path MTU in a REQ. */
    private static final int MTU_1024 = 3;
    private static final int[] REASONS = {4, 8, 10, 28, 35};

    private final Random random;
    private final Gid victim;
    private final int port;
    private final Known[] known = new Known[KNOWN];
    private int learned;

    /** What the device has told: its ID, the peer's ID and the QPN, as its messages have them. */
    private record Known(int theirs, int own, int qpn) {}

    /** @param port the port at which the victim listens in the port spaces TCP and UDP */
    public HostileMessages(Random random, Gid victim, int port) {
        this.random = random;
        this.victim = victim;
        this.port = port;
    }

    /** Takes note of the IDs in a message of the victim. */
    public void learn(byte[] datagram) {
        Known told = switch (CmMessage.decode(ManagementDatagram.of(datagram))) {
            case ConnectRequest request -> new Known(request.localCommId(), random.nextInt(), request.qpn());
            case ConnectReply reply -> new Known(reply.localCommId(), reply.remoteCommId(), reply.qpn());
            case MessageReceiptAck ack -> new Known(ack.localCommId(), ack.remoteCommId(), random.nextInt());
            case ReadyToUse ready -> new Known(ready.localCommId(), ready.remoteCommId(), random.nextInt());
            case SidrRequest request -> new Known(request.requestId(), 0, 0);
            default -> null;
        };
        if (told != null) {
            known[learned++ % KNOWN] = told;
        }
    }

    /** Forgets all IDs. */
    public void forget() {
        Arrays.fill(known, null);
        learned = 0;
    }

    /** Returns 256 bytes for a packet from a source. */
    byte[] next(Gid source) {
        byte[] bytes = message(source).encode(random.nextLong()).toBytes();
        switch (random.nextInt(16)) {
            case 0, 1 -> change(bytes, 0, bytes.length, 1 + random.nextInt(3));
            case 2 -> change(bytes, ManagementDatagram.HEADER_BYTES, bytes.length, 16);
            case 3 -> change(bytes, 0, ManagementDatagram.HEADER_BYTES, 1);
            case 4 -> bytes[17] = (byte) random.nextInt(0x08, 0x28);
            case 5 -> random.nextBytes(bytes);
            default -> {
                // well-formed
            }
        }
        return bytes;
    }

    private void change(byte[] bytes, int from, int to, int count) {
        for (int i = 0; i < count; i++) {
            bytes[random.nextInt(from, to)] = (byte) random.nextInt();
        }
    }

    private CmMessage message(Gid source) {
        Known ids = known[random.nextInt(KNOWN)];
        if (ids == null || random.nextInt(8) == 0) {
            ids = new Known(random.nextInt(), random.nextInt(), random.nextInt());
        }
        return switch (random.nextInt(KINDS + 1)) {
            case 0 -> new MessageReceiptAck(ids.own, ids.theirs, any(CmMessageType.values()), random.nextInt(32),
                    PrivateData.NONE);
            case 1 -> reject(ids);
            case 2 -> reply(ids);
            case 3 -> new ReadyToUse(ids.own, ids.theirs, data(224));
            case 4 -> new DisconnectRequest(ids.own, ids.theirs, ids.qpn & QPN_MASK, data(220));
            case 5 -> new DisconnectReply(ids.own, ids.theirs, data(224));
            case 6 -> new SidrRequest(random.nextInt(GUIDS), 0xFFFF, service(UDP), addresses(source));
            case 7 -> new SidrReply(ids.theirs, random.nextInt(3), random.nextInt() & QPN_MASK, random.nextLong(),
                    random.nextBoolean() ? QKEY : random.nextInt(), Ece.NONE, data(72), data(136));
            default -> request(random.nextBoolean() ? random.nextInt() : random.nextInt(GUIDS),
                    1 + random.nextInt(GUIDS), source);
        };
    }

    private static <T> T any(T[] all, Random random) {
        return all[random.nextInt(all.length)];
    }

    private CmMessageType any(CmMessageType[] all) {
        return any(all, random);
    }

    /** Returns a REQ for a packet from a source; all but a few parts of it are as the victim expects. */
    ConnectRequest request(int commId, long guid, Gid source) {
        PathFields path = new PathFields(0xFFFF, 0xFFFF, orForeign(source), orForeign(victim),
                random.nextInt() & 0xF_FFFF, 0,
                random.nextInt(256), 64, 0, false, random.nextInt(32));
        int qpn = random.nextInt(16) == 0 ? random.nextInt(2) : random.nextInt() & QPN_MASK;
        return new ConnectRequest(commId, service(TCP), guid, 0, qpn, random.nextInt(256),
                random.nextInt(256), random.nextInt(32), random.nextInt(8) == 0 ? 1 : 0, random.nextBoolean(),
                random.nextInt() & QPN_MASK, random.nextInt(32), random.nextInt(8), 0xFFFF, random.nextInt(16),
                random.nextInt(8), random.nextInt(16), false, 0, path, PathFields.NONE, Ece.NONE, addresses(source));
    }

    /** Returns a REQ as a program sends it, with private data of the program. */
    ConnectRequest validRequest(int commId, long guid, byte[] data) {
        PathFields path = new PathFields(0xFFFF, 0xFFFF, victim, victim, 0, 0, 0, 64, 0, false, 19);
        PrivateData whole = new IpCmHeader(victim.toInetAddress(), port, victim.toInetAddress()).before(data);
        return new ConnectRequest(commId, TCP | port, guid, 0, 1 + random.nextInt(QPN_MASK), 1, 1, 20, 0, true, 0, 20,
                7,
                0xFFFF, MTU_1024, 7, 15, false, 0, path, PathFields.NONE, Ece.NONE, whole);
    }

    private ConnectReply reply(Known ids) {
        return new ConnectReply(ids.own, ids.theirs, 0, random.nextInt() & QPN_MASK, random.nextInt() & QPN_MASK,
                random.nextInt(256), random.nextInt(256), random.nextInt(32), 0, false, random.nextInt(8), false,
                1 + random.nextInt(GUIDS), Ece.NONE, data(196));
    }

    private ConnectReject reject(Known ids) {
        int reason = random.nextBoolean() ? REASONS[random.nextInt(REASONS.length)] : random.nextInt(0x1_0000);
        byte[] guid = new byte[Long.BYTES];
        guid[Long.BYTES - 1] = (byte) (1 + random.nextInt(GUIDS));
        return new ConnectReject(ids.own, ids.theirs, any(CmMessageType.values()), reason, PrivateData.of(guid),
                data(148));
    }

    private long service(long portSpace) {
        return switch (random.nextInt(16)) {
            case 0 -> random.nextLong();
            case 1 -> portSpace | random.nextInt(0x1_0000);
            default -> portSpace | port;
        };
    }

    private PrivateData addresses(Gid source) {
        if (random.nextInt(16) == 0) {
            return data(92);
        }
        Gid from = orForeign(source);
        Gid to = orForeign(victim);
        if (from.isIpv4Mapped() != to.isIpv4Mapped()) {
            // a header has the addresses of one family
            to = from;
        }
        return new IpCmHeader(from.toInetAddress(), random.nextInt(0x1_0000), to.toInetAddress())
                .before(new byte[random.nextInt(57)]);
    }

    /** Returns a GID or, sometimes, that of another host, of no host or of many. */
    private Gid orForeign(Gid gid) {
        if (random.nextInt(16) != 0) {
            return gid;
        }
        return switch (random.nextInt(8)) {
            case 0 -> Gid.ZERO;
            case 1 -> Gid.of(0, IPV4 | 0xFFFF_FFFFL);
            case 2 -> Gid.of(0, IPV4 | 0xE000_0001L);
            case 3 -> Gid.of(0, IPV4);
            case 4 -> Gid.of(0, IPV4 | 0x7F00_0001L);
            case 5 -> Gid.of(random.nextLong(), random.nextLong());
            default -> Gid.of(0, IPV4 | random.nextInt(1, 1 << 30));
        };
    }

    private PrivateData data(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return PrivateData.of(bytes);
    }
}
