package io.jverbs.bench.datapath;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The baseline does all that it claims to do. */
class HandWrittenQueuePairsTest {
    private static final int DEPTH = 4;

    private final HandWrittenPath path = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
    private final MemorySegment source = Arena.ofAuto().allocate(Long.BYTES);
    private final MemorySegment target = Arena.ofAuto().allocate(Long.BYTES);
    private final int sourceKey = path.register(1, source);
    private final int targetKey = path.register(2, target);
    private final MemorySegment completion = WorkCompletions.create(1).memory();

    private MemorySegment write(long id, int rkey) {
        return SendWorkRequest.create(1).wrId(id).opcode(WrOpcode.RDMA_WRITE)
                .sge(0, source.address(), Long.BYTES, sourceKey).remote(target.address(), rkey).memory();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void eachQueuePairWritesAndCompletes(int count) {
        HandWrittenQueuePairs queuePairs = new HandWrittenQueuePairs(path, count, DEPTH);
        for (int i = 1; i <= 1000; i++) {
            source.set(JAVA_LONG, 0, i);
            queuePairs.post(i % count, write(i, targetKey));
            assertEquals(i, target.get(JAVA_LONG, 0));
            assertEquals(1, path.poll(completion));
            assertEquals(i, completion.get(JAVA_LONG, WcLayout.WR_ID));
            assertEquals(0, path.poll(completion));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aSendQueueIsFullUntilItsCompletionsArePolled(int count) {
        HandWrittenQueuePairs queuePairs = new HandWrittenQueuePairs(path, count, DEPTH);
        for (int i = 0; i < DEPTH; i++) {
            queuePairs.post(0, write(i, targetKey));
        }
        assertThrows(IllegalStateException.class, () -> queuePairs.post(0, write(DEPTH, targetKey)));
        for (int i = 0; i < DEPTH; i++) {
            assertEquals(1, path.poll(completion));
        }
        queuePairs.post(0, write(DEPTH, targetKey));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void keysAreChecked(int count) {
        HandWrittenQueuePairs queuePairs = new HandWrittenQueuePairs(path, count, DEPTH);
        assertThrows(IllegalArgumentException.class, () -> queuePairs.post(0, write(1, targetKey + 1)));
        assertEquals(0, path.poll(completion));
    }
}
