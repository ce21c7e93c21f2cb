package io.jverbs.soft.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SendBufferTest {
    private static final long PAGE_BYTES = 4096;

    /** Most packets of a long message have a BTH only; copying to this offset is faster. */
    @Test
    void payloadAfterBthStartsInMiddleOfPage() {
        SendBuffer out = new SendBuffer();
        out.encoder().begin(out.buffer(), WireOpcode.RC | WireOpcode.WRITE_MIDDLE, 0, 0xFFFF, 1, 1,
                PacketBuffer.MAX_PAYLOAD);
        long payload = out.buffer().segment().address() + out.encoder().payloadOffset();
        assertEquals(PAGE_BYTES / 2, payload % PAGE_BYTES);
        assertEquals(PacketBuffer.MAX_BYTES, out.buffer().segment().byteSize());
    }
}
