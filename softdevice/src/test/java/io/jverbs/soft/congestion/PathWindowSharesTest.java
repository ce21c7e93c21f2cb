package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How connections share the window of a path, which holds 24 packets. A scenario is a sequence of steps: the name of a
 * connection, what it does, and a number of packets.
 *
 * <pre>
 * a+4  wants to send 4 packets and may        a-4  wants to send 4 packets and must wait
 * a*4  requests 4 packets and may             a/4  requests 4 packets and must wait
 * as4  sends 4 packets                        aa4  4 packets are acknowledged, none is in flight
 * a=4  4 packets are in flight, the rest of the grant is given back
 * ac   its turn has come                      an   its turn has not come
 * aw   leaves the queue                       ax   its packets do not count any more
 * p    the period ends
 * </pre>
 */
final class PathWindowSharesTest {
    private static final int MTU = 4096;

    private final PathWindow window = new PathWindow(PathCapacity.UNCOALESCED, CongestionControlType.WINDOW);
    private final TreeMap<Character, PathWindow.Share> shares = new TreeMap<>();
    private final List<Character> resumed = new ArrayList<>();
    private final List<Runnable> alarms = new ArrayList<>();

    /** A queue pair that records when it is resumed. */
    private final class User implements PathWindowUser, Timers {
        private final char name;

        User(char name) {
            this.name = name;
        }

        @Override
        public void resumeSend() {
            resumed.add(name);
        }

        @Override
        public Timers timers() {
            return this;
        }

        @Override
        public Alarm set(long delayNanos, Runnable action) {
            alarms.add(action);
            return () -> alarms.remove(action);
        }

        @Override
        public void runDeferred() {}
    }

    @BeforeEach
    void join() {
        for (char name : new char[] {'a', 'b', 'c'}) {
            PathWindow.Share share = new PathWindow.Share(new User(name));
            share.join(window, MTU);
            shares.put(name, share);
        }
    }

    private void run(String scenario) {
        for (String step : scenario.split(" ")) {
            if (step.equals("p")) {
                List<Runnable> expired = List.copyOf(alarms);
                alarms.clear();
                expired.forEach(Runnable::run);
            } else {
                int count = step.length() > 2 ? Integer.parseInt(step.substring(2)) : 0;
                perform(shares.get(step.charAt(0)), step.charAt(0), step.charAt(1), count, step + " in " + scenario);
            }
        }
    }

    private void perform(PathWindow.Share share, char name, char action, int count, String where) {
        switch (action) {
            case '+', '-' -> assertEquals(action == '+', share.admits(count), where);
            case '*', '/' -> assertEquals(action == '*', share.admitsAll(count), where);
            case 's' -> {
                for (int i = 0; i < count; i++) {
                    assertTrue(share.admits(count - i), where);
                    share.sent();
                }
            }
            case 'a' -> {
                share.acknowledged(count);
                share.settle(0);
            }
            case '=' -> share.settle(count);
            case 'c' -> assertTrue(resumed.contains(name) && share.mayRequest(), where);
            case 'n' -> assertFalse(share.mayRequest(), where);
            case 'w' -> share.stopWaiting();
            case 'x' -> share.exempt();
            default -> throw new IllegalArgumentException(where);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // one connection may use the whole window, and no more
        "as24 a-1",
        "as24 a-1 aa24 as24 a-1",
        "as20 a=20 b+9 bs4 b=4 b-1",
        // what is granted and not sent is given back
        "a+24 b-1 a=0 bc b+1",
        "a+24 as3 a=3 b+1 bs21 b-1",
        // packets that are in flight make others wait until they are acknowledged
        "as24 b-1 bn aa24 bc b+4",
        "as24 b-1 c-1 bn cn aa24 bc b+1",
        // connections are served in the order in which they began to wait
        "as24 b-1 c-1 aa24 c-1 bc b+4 bs4 cc c+4",
        "as24 c-1 b-1 aa24 b-1 cc c+4 cs4 bc b+4",
        // a connection with four packets in flight waits for its own acknowledgements while others wait
        "as24 b-1 a-1 aa24 bc b+24 bs24 a-1",
        // who leaves the queue lets the next one in
        "as24 b-1 c-1 aa24 bc bw cc c+4",
        // a request is granted as a whole or not at all
        "a*24 b/1 aa24 bc b*24",
        "a*20 b*4 c/1",
        "a*20 b/5 c/4 cn",
        "a*20 b/5 aa20 bc b*5",
        // a share whose turn has come waits again if it then needs more than there is room for
        "a*20 b/5 bn a=19 bc b/6 bn a=18 bc b*6",
        "a*20 b/5 bn a=19 bc b/6 bn bw b/6 bn a=18 bc b*6",
        // more than the window is granted if nothing is in flight
        "a*99 b/1 a=99 b/1 aa99 bc b*1",
        "b*1 a/99 ba1 ac a*99",
        // packets that are not acknowledged within two periods are assumed to be lost
        "as24 b-1 p bn p bc b+4",
        "as24 b/4 p a=23 p bn p bc b*4",
        // the packets of a connection whose peer does not respond do not count
        "as24 b-1 ax a+99",
    })
    void aShareIsGrantedInTurnAndOnlyAsFarAsThereIsRoom(String scenario) {
        run(scenario);
    }

    /** The columns are the losses and acknowledged windows, and the packets that fit in the window. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            l,         12
            ll,        12
            lwl,       6
            lwlwl,     3
            lwlwlwl,   2
            lwlwlwlwl, 1
            lw,        13
            lwww,      15
            w,         24
            """)
    void theWindowHalvesOncePerWindowAndGrowsByOnePacketInARoundTrip(String scenario, int packets) {
        PathWindow.Share share = shares.get('a');
        for (char step : scenario.toCharArray()) {
            if (step == 'l') {
                share.lost();
            } else {
                // at least a window, whatever its size
                assertTrue(share.admitsAll(24));
                share.acknowledged(24);
                share.settle(0);
            }
        }
        run("as" + packets + " a-1");
    }
}
