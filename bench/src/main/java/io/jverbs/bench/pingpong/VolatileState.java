package io.jverbs.bench.pingpong;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The state of the baseline of volatile words: two words on cache lines of their own. */
@State(Scope.Benchmark)
public class VolatileState {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int THERE = 32;
    private static final int BACK = 64;

    private final long[] words = new long[96];
    private final Side here = new Side(words, BACK, THERE);
    private Echo echo;

    /** For JMH. */
    public VolatileState() {
        // initialized by start
    }

    /** Starts the echo thread. */
    @Setup
    public void start() {
        echo = new Echo(new Side(words, THERE, BACK)::tryReply);
    }

    /** Stops the echo thread. */
    @TearDown
    public void stop() {
        echo.close();
    }

    void roundTrip() {
        here.send();
        while (!here.tryReceive()) {
            Thread.onSpinWait();
        }
    }

    /** The state of one thread. */
    private static final class Side extends Padded {
        private final long[] words;
        private final int in;
        private final int out;
        private long seen;

        Side(long[] words, int in, int out) {
            this.words = words;
            this.in = in;
            this.out = out;
        }

        void send() {
            WORD.setVolatile(words, out, seen + 1);
        }

        /** Reads the word once; returns whether the other thread has changed it. */
        boolean tryReceive() {
            long word = (long) WORD.getVolatile(words, in);
            if (word == seen) {
                return false;
            }
            seen = word;
            return true;
        }

        boolean tryReply() {
            if (!tryReceive()) {
                return false;
            }
            WORD.setVolatile(words, out, seen);
            return true;
        }
    }
}
