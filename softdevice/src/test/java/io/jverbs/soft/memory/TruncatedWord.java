package io.jverbs.soft.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * Executes atomics on a word of a mapped file. First the file is complete, then it is truncated before some atomics,
 * and finally another thread truncates and extends it all the time. Argument: the file. Prints the number of atomics of
 * the last part and how many found no memory.
 */
public final class TruncatedWord {
    private static final int PAGE = 4096;
    private static final int ACCESS = 0xF;
    private static final int WARM_UP = 20_000;
    private static final int FAULTS = 200;
    private static final long NANOS = Duration.ofSeconds(3).toNanos();

    private final FileChannel channel;
    private final KeyEntry word;
    private volatile boolean stopped;
    private int faults;

    private TruncatedWord(FileChannel channel) throws IOException {
        this.channel = channel;
        extend();
        MemorySegment segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, PAGE, Arena.ofAuto());
        word = KeyEntry.region(0, new SoftPd(MemorySegment::address), ACCESS, 0, segment);
    }

    private void extend() throws IOException {
        channel.write(ByteBuffer.allocate(1), PAGE - 1);
    }

    /** Executes three atomics: an addition, and a compare-and-swap that may succeed, and one that may not. */
    private void atomics() {
        try {
            long former = Copier.fetchAndAdd(word, 0, 1);
            Copier.compareAndSwap(word, 0, former + 1, 0);
            Copier.compareAndSwap(word, 0, -1, 2);
        } catch (InternalError e) {
            faults++;
        }
    }

    private void truncateAndExtend() {
        try {
            while (!stopped) {
                channel.truncate(0);
                extend();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            TruncatedWord program = new TruncatedWord(channel);
            for (int i = 0; i < WARM_UP; i++) {
                program.atomics();
            }
            for (int i = 0; i < FAULTS; i++) {
                channel.truncate(0);
                program.atomics();
                program.extend();
            }
            if (program.faults != FAULTS) {
                throw new IllegalStateException(program.faults + " faults of " + FAULTS + " were reported");
            }
            Thread other = Thread.ofPlatform().start(program::truncateAndExtend);
            long end = System.nanoTime() + NANOS;
            long count = 0;
            while (System.nanoTime() < end) {
                program.atomics();
                count += 3;
            }
            program.stopped = true;
            other.join();
            System.out.println(count + " atomics, " + (program.faults - FAULTS) + " faults");
            System.exit(program.faults > FAULTS ? 0 : 1);
        }
    }
}
