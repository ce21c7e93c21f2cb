package io.jverbs.rsocket.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Messages as rstream of librdmacm 44 sent them over rxe. */
class StreamMessageTest {

    @Test
    void immediateDataOfLibrdmacmHaveTheirOperationAndValue() {
        assertEquals(StreamMessage.SGL, StreamMessage.operation(0x8000_0180));
        assertEquals(384, StreamMessage.value(0x8000_0180));
        assertEquals(StreamMessage.DATA, StreamMessage.operation(0x0000_03e8));
        assertEquals(1000, StreamMessage.value(0x0000_03e8));
    }

    @Test
    void eachOperationAndValueIsReadAsItWasWritten() {
        for (int operation = 0; operation < 8; operation++) {
            for (int value : new int[] {0, 1, 0xFFFF, StreamMessage.MAX_VALUE}) {
                int message = StreamMessage.of(operation, value);
                assertEquals(operation, StreamMessage.operation(message));
                assertEquals(value, StreamMessage.value(message));
            }
        }
        assertEquals("message 0xe0000002 (operation 7, control, value 2)", StreamMessage
                .text(StreamMessage.of(StreamMessage.CONTROL, StreamMessage.CONTROL_SHUTDOWN)));
        assertEquals("message 0x20000000 (operation 1, reserved, value 0)", StreamMessage.text(1 << 29));
    }

    @Test
    void anEntryOfTheTargetSglOfLibrdmacmIsReadInTheByteOrderOfItsOwner() {
        // the payload of the first WRITE of each side, on x86-64
        ByteBuffer payload = ByteBuffer.wrap(HexFormat.of().parseHex("00a09c6fb67f0000" + "59100000" + "00000800"));
        RemoteSge entry = RemoteSge.get(payload.order(ByteOrder.LITTLE_ENDIAN));
        assertEquals(new RemoteSge(0x7fb66f9ca000L, 0x1059, 512 << 10), entry);

        ByteBuffer again = ByteBuffer.allocate(RemoteSge.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        entry.put(again);
        assertEquals(payload.rewind(), again.flip());
        assertEquals(entry.length(), again.getInt(RemoteSge.LENGTH));
        assertEquals(entry.key(), again.getInt(RemoteSge.KEY));
    }

    @Test
    void anEntryOfAnIomapCoversTheOffsetsOfItsMemory() {
        IomapEntry entry = new IomapEntry(100, new RemoteSge(0x1000, 7, 50));
        ByteBuffer bytes = ByteBuffer.allocate(IomapEntry.BYTES).order(ByteOrder.BIG_ENDIAN);
        entry.put(bytes);
        assertEquals(entry, IomapEntry.get(bytes.flip()));
        assertEquals(0, entry.remaining(99));
        assertEquals(50, entry.remaining(100));
        assertEquals(1, entry.remaining(149));
        assertEquals(0, entry.remaining(150));
    }
}
