package io.jverbs.soft.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.jverbs.rsocket.protocol.SendQueue;
import io.jverbs.rsocket.protocol.TargetSgl;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Checks what the thread that polls for a stream sees of what the peer, or the thread that writes, is changing. */
public final class StreamBuffers {
    private static final int POLLS = 50;

    private StreamBuffers() {}

    /** The peer writes an entry, as {@link WriteVisibility} has it, while an SGL message without an entry is polled. */
    @JCStressTest
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "The entry was not written yet.")
    @Outcome(id = "1024, 4096, 7", expect = ACCEPTABLE, desc = "The entry was taken as the peer has written it.")
    @Outcome(expect = FORBIDDEN, desc = "The entry was taken before all of it was written.")
    @State
    public static class EntryOfTheTargetSgl {
        private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
        private static final long ADDRESS = 4096;
        private static final long KEY_AND_LENGTH = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder())
                .putInt(7).putInt(1024).getLong(0);

        private final MemorySegment memory = MemorySegment.ofArray(new long[TargetSgl.BYTES / Long.BYTES]);
        private final TargetSgl target = new TargetSgl(memory);

        @Actor
        public void peer() {
            memory.set(ValueLayout.JAVA_LONG, 0, ADDRESS);
            LONG.setRelease(memory, (long) Long.BYTES, KEY_AND_LENGTH);
        }

        @Actor
        public void poller(III_Result result) {
            for (int i = 0; i < POLLS && result.r1 == 0; i++) {
                target.update();
                result.r1 = (int) target.available();
            }
            if (result.r1 != 0) {
                result.r2 = (int) target.address();
                result.r3 = target.key();
            }
        }
    }

    /** A request is posted, whose completion is polled before the thread that writes has returned from the post. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The request was not posted yet.")
    @Outcome(id = "1, 64", expect = ACCEPTABLE, desc = "The request has completed, and its bytes are free.")
    @Outcome(expect = FORBIDDEN, desc = "The completion has freed other bytes than those of the request.")
    @State
    public static class CompletionOfARequest {
        private static final int BYTES = 64;

        private final SendQueue queue = new SendQueue(8, BYTES);

        @Actor
        public void writer() {
            queue.take(BYTES);
        }

        @Actor
        public void poller() {
            for (int i = 0; i < POLLS && !queue.isCompleted(0); i++) {
                queue.completed(0);
            }
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = queue.isCompleted(0) ? 1 : 0;
            result.r2 = queue.freeBytes();
        }
    }
}
