package io.jverbs.soft.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The addresses, ports and other IP header fields of a packet. Builds the IP packet around it. */
record Path(long sourceHigh, long sourceLow, int sourcePort, long destinationHigh, long destinationLow,
        int destinationPort, int id, int fragmentation, int trafficClass, int hopLimit) {
    static final int DONT_FRAGMENT = 0x4000;
    private static final int UDP = 17;
    private static final long MAPPED = 0xFFFFL << 32;

    static Path ipv4(int source, int sourcePort, int destination, int destinationPort) {
        return new Path(0, MAPPED | source & 0xFFFF_FFFFL, sourcePort, 0, MAPPED | destination & 0xFFFF_FFFFL,
                destinationPort, 0, DONT_FRAGMENT, 0, 64);
    }

    static Path ipv6(int sourcePort, int destinationPort) {
        return new Path(0xFD00L << 48, 1, sourcePort, 0xFD00L << 48, 2, destinationPort, 0, 0, 0, 64);
    }

    Path withId(int newId, int newFragmentation) {
        return new Path(sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow, destinationPort, newId,
                newFragmentation, trafficClass, hopLimit);
    }

    Path withMutable(int newTrafficClass, int newHopLimit) {
        return new Path(sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow, destinationPort, id,
                fragmentation, newTrafficClass, newHopLimit);
    }

    boolean isIpv4() {
        return sourceHigh == 0 && sourceLow >>> 32 == 0xFFFF;
    }

    Icrc icrc() {
        Icrc icrc = new Icrc();
        icrc.setAddresses(sourceHigh, sourceLow, sourcePort, destinationHigh, destinationLow, destinationPort);
        return icrc;
    }

    /** Returns the IP packet without the ICRC; its length fields include the ICRC. */
    byte[] ipPacket(byte[] packet, int checksum) {
        int datagram = 8 + packet.length + 4;
        ByteBuffer ip = ByteBuffer.allocate(40 + 8 + packet.length);
        if (isIpv4()) {
            ip.put((byte) 0x45).put((byte) trafficClass).putShort((short) (20 + datagram)).putShort((short) id)
                    .putShort((short) fragmentation).put((byte) hopLimit).put((byte) UDP).putShort((short) checksum)
                    .putInt((int) sourceLow).putInt((int) destinationLow);
        } else {
            ip.putInt(6 << 28 | (trafficClass & 0xFF) << 20 | checksum & 0xFFFF).putShort((short) datagram)
                    .put((byte) UDP).put((byte) hopLimit).putLong(sourceHigh).putLong(sourceLow)
                    .putLong(destinationHigh).putLong(destinationLow);
        }
        ip.putShort((short) sourcePort).putShort((short) destinationPort).putShort((short) datagram)
                .putShort((short) checksum).put(packet);
        return Arrays.copyOf(ip.array(), ip.position());
    }

    int icrcByDefinition(byte[] packet) {
        return IcrcByDefinition.of(ipPacket(packet, 0));
    }
}
