package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;

/** A packet that arrives at a queue pair. It is built again for each packet. */
public final class IncomingPacket {
    private final int destinationQpn;
    private final PacketBuffer buffer = new PacketBuffer(BareDevice.memory(PacketBuffer.MAX_BYTES));
    private final PacketEncoder encoder = new PacketEncoder();
    private final PacketView view = new PacketView();

    /** @param destinationQpn the number of the queue pair that the packets are sent to */
    public IncomingPacket(int destinationQpn) {
        this.destinationQpn = destinationQpn;
    }

    /** Begins the packet; the headers that its opcode has besides the BTH are then written. */
    public PacketEncoder begin(int opcode, int flags, int psn, int payload) {
        return encoder.begin(buffer, opcode, flags, RecordingPort.PKEY, destinationQpn, psn, payload);
    }

    /** Sets each byte of the payload to a value. */
    public IncomingPacket fill(int value) {
        int offset = encoder.payloadOffset();
        buffer.segment().asSlice(offset, encoder.written() - offset).fill((byte) value);
        return this;
    }

    /** {@return the packet as it is decoded when it arrives} */
    public PacketView decoded() {
        assertEquals(DropReason.NONE, view.decode(buffer, encoder.length()));
        return view;
    }
}
