package io.jverbs.bench.pingpong;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Two volatile words, far enough from each other and from everything else to have cache lines of their own. */
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
        // start makes the rest
    }

    /** Starts the echo. */
    @Setup
    public void start() {
        echo = new Echo(new Side(words, THERE, BACK)::tryAnswer);
    }

    /** Stops it. */
    @TearDown
    public void stop() {
        echo.close();
    }

    void roundTrip() {
        here.send();
        while (!here.came()) {
            Thread.onSpinWait();
        }
    }

    /** What one thread knows. */
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

        /** Looks once whether the other has sent. */
        boolean came() {
            long word = (long) WORD.getVolatile(words, in);
            if (word == seen) {
                return false;
            }
            seen = word;
            return true;
        }

        boolean tryAnswer() {
            if (!came()) {
                return false;
            }
            WORD.setVolatile(words, out, seen);
            return true;
        }
    }
}
