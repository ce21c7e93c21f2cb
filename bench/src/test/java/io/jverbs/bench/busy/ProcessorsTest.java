package io.jverbs.bench.busy;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lists of processors that the kernel writes, and the assignment of this process to one of them. */
final class ProcessorsTest {
    private static final int ASSIGNMENTS = 20;
    private static final long SHORT_LIFE_NANOS = 1_000_000;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0|0", "0-3|0 1 2 3", "1,3|1 3", "0-1,8-9,12|0 1 8 9 12"})
    void aListContainsNumbersAndRanges(String list, String numbers) {
        List<Integer> parsed = Processors.parse(list);
        assertEquals(numbers, parsed.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    @Test
    void anAssignmentEndsWithTheProcessorsOfBefore() throws IOException {
        assumeTrue(new Processors.Assignable().missing() == null, "it needs taskset(1)");
        List<Integer> before = Processors.allowed();

        try (Closeable assignment = Processors.assignThisProcess(before.getLast())) {
            assertEquals(List.of(before.getLast()), Processors.allowed(), assignment.toString());
        }
        assertEquals(before, Processors.allowed());
    }

    /** taskset(1) fails if a thread ends between its list of the threads and its change of that thread. */
    @Test
    void threadsThatEndDuringAnAssignmentDoNotFailIt() throws IOException {
        assumeTrue(new Processors.Assignable().missing() == null, "it needs taskset(1)");
        List<Integer> before = Processors.allowed();
        AtomicBoolean end = new AtomicBoolean();
        Thread starter = Thread.ofPlatform().start(() -> {
            while (!end.get()) {
                Thread.ofPlatform().daemon().start(() -> LockSupport.parkNanos(SHORT_LIFE_NANOS));
            }
        });
        try {
            for (int i = 0; i < ASSIGNMENTS; i++) {
                Processors.assignThisProcess(before.getLast()).close();
            }
        } finally {
            end.set(true);
            assertDoesNotThrow(() -> starter.join());
        }
        assertEquals(before, Processors.allowed());
    }
}
