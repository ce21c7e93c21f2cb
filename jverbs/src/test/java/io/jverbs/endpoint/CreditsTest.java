package io.jverbs.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The credits of two sides, over a network that delivers in order and as late as it likes. */
class CreditsTest {
    private static final int STEPS = 200_000;

    /** A message in transit: whether it is a control message, and what it returns. */
    private record Sent(boolean control, int credits, int controlCredits) {}

    /** One side: its credits, the messages that are on the way to it, and those that its program holds. */
    private static final class Side {
        private final Credits credits;
        private final int buffers;
        private final ArrayDeque<Sent> incoming = new ArrayDeque<>();
        private Side peer;
        private int free;
        private int freeControl = Credits.CONTROL;
        private int held;

        Side(int buffers) {
            this.buffers = buffers;
            this.free = buffers;
            this.credits = new Credits(buffers);
        }

        void send(boolean control) {
            peer.incoming.add(new Sent(control, credits.toReturn(), credits.controlToReturn()));
            credits.take(control);
            credits.sent();
        }

        void returnCredits() {
            if (credits.mustReturn()) {
                assertTrue(credits.controlAvailable(), "a side with credits to return can always say so");
                send(true);
            }
        }

        void receive() {
            Sent message = incoming.poll();
            assertTrue(credits.returned(message.credits, message.controlCredits));
            if (message.control) {
                assertTrue(freeControl > 0, "there is a receive for each control message");
                credits.posted(true);
            } else {
                assertTrue(free > 0, "there is a receive for each message");
                assertTrue(credits.arrived());
                free--;
                held++;
            }
            returnCredits();
        }

        void release() {
            held--;
            free++;
            credits.posted(false);
            returnCredits();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "2, 2", "3, 5", "4, 1", "16, 16", "32, 3"})
    void aMessageAlwaysFindsAReceiveAndCreditsAlwaysReturn(int left, int right) {
        for (int seed = 0; seed < 5; seed++) {
            Random random = new Random(seed);
            Side[] sides = {new Side(left), new Side(right)};
            for (int i = 0; i < 2; i++) {
                sides[i].peer = sides[1 - i];
                sides[i].credits.established(sides[1 - i].buffers);
            }
            int sent = 0;
            for (int step = 0; step < STEPS / 5; step++) {
                // a side that is slow to send and one that is slow to receive, in turns
                Side side = sides[random.nextInt(10) < (step / 1000) % 10 ? 0 : 1];
                switch (random.nextInt(3)) {
                    case 0 -> {
                        if (side.credits.available()) {
                            side.send(false);
                            sent++;
                        }
                    }
                    case 1 -> {
                        if (!side.incoming.isEmpty()) {
                            side.receive();
                        }
                    }
                    default -> {
                        if (side.held > 0) {
                            side.release();
                        }
                    }
                }
            }
            assertTrue(sent > 100, sent + " messages were sent");
            finish(sides);
            assertTrue(sides[0].credits.available() && sides[1].credits.available(), "both sides can send again");
        }
    }

    private static void finish(Side[] sides) {
        boolean isActive = true;
        while (isActive) {
            isActive = false;
            for (Side side : sides) {
                if (!side.incoming.isEmpty()) {
                    side.receive();
                    isActive = true;
                }
                if (side.held > 0) {
                    side.release();
                    isActive = true;
                }
            }
        }
    }

    @Test
    void moreCreditsThanWereUsedAreRefusedAndChangeNothing() {
        Credits credits = new Credits(4);
        credits.established(2);
        credits.take(false);
        assertFalse(credits.returned(2, 0));
        assertFalse(credits.returned(0, 1));
        assertTrue(credits.returned(1, 0));
        assertFalse(credits.returned(1, 0));
        assertEquals("2 of 2 credits, 0 of 4 to return", credits.toString());
    }

    @Test
    void aMessageWithoutACreditIsRefused() {
        Credits credits = new Credits(1);
        assertTrue(credits.arrived());
        assertFalse(credits.arrived());
    }
}
