package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.jverbs.soft.wire.SendBuffer;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an outbox acquires and releases a buffer, and how many responses a turn has. */
final class OutboxTest {
    private final StringBuilder calls = new StringBuilder();
    private final Deque<SendBuffer> acquired = new ArrayDeque<>();
    private final PacketNetwork wire = (PacketNetwork) Proxy.newProxyInstance(PacketNetwork.class.getClassLoader(),
            new Class<?>[] {PacketNetwork.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "acquire" -> {
                    calls.append('A');
                    acquired.add(new SendBuffer());
                    yield acquired.getLast();
                }
                case "release" -> {
                    calls.append('R');
                    assertSame(acquired.remove(), arguments[0]);
                    yield null;
                }
                default -> throw new UnsupportedOperationException(method.getName());
            });
    private final Outbox outbox = new Outbox(wire);

    /** The columns are the steps, w a packet is written, r the outbox is released, and the calls of the wire. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            r,        ''
            rr,       ''
            w,        A
            www,      A
            wr,       AR
            wwr,      AR
            wrr,      AR
            wrwr,     ARAR
            wwrrwwwr, ARAR
            wrw,      ARA
            """)
    void aBufferIsAcquiredForTheFirstPacketAndReleasedOnce(String steps, String expected) {
        for (char step : steps.toCharArray()) {
            if (step == 'w') {
                assertSame(outbox.room(), outbox.room());
            } else {
                outbox.release();
            }
        }
        assertEquals(expected, calls.toString());
    }

    /** The columns are the responses of a turn before another begins, and those that are left in the next one. */
    @ParameterizedTest
    @CsvSource({"0, 0, 64", "1, 0, 64", "64, 0, 64", "64, 1, 63", "10, 63, 1", "0, 64, 0"})
    void aTurnHas64Responses(int before, int counted, int left) {
        for (int i = 0; i < before; i++) {
            outbox.countResponse();
        }
        assertEquals(Outbox.TURN - before, outbox.left());
        outbox.beginTurn();
        for (int i = 0; i < counted; i++) {
            outbox.countResponse();
        }
        assertEquals(left, outbox.left());
    }

    @Test
    void anOutboxWithoutPacketsNeedsNoWire() {
        Outbox empty = new Outbox(PacketNetwork.NONE);
        empty.beginTurn();
        empty.release();
        assertEquals(Outbox.TURN, empty.left());
    }
}
