package io.jverbs.soft.layers.strict;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.MemoryRegion;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.StrictMode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A program that posts memory of truncated files, and truncates files or closes arenas whose memory is posted, while
 * strict mode or a capture reads that memory. The device itself does not read it: its queue pair is in ERR, or no queue
 * pair has the destination number of the datagram. It exits with status 1 if a verb has an unexpected result.
 */
final class UnreadableMemoryProgram {
    private static final int ROUNDS = 200;
    private static final int WARM_UP = 15_000;
    private static final int WARM_UP_INTERPRETED = 20;
    private static final int SIZE = 8192;
    private static final int DATAGRAM = 512;
    private static final int UNKNOWN_QPN = 0x00FF_FFF0;

    private final int warmUp = System.getProperty("java.vm.info").contains("interpreted")
            ? WARM_UP_INTERPRETED
            : WARM_UP;
    private final Path folder;
    private final FileChannel file;

    private UnreadableMemoryProgram(Path folder) throws IOException {
        this.folder = folder;
        this.file = FileChannel.open(folder.resolve("memory"), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    public static void main(String... arguments) throws Exception {
        Path folder = Files.createTempDirectory("truncated");
        try {
            UnreadableMemoryProgram program = new UnreadableMemoryProgram(folder);
            program.postTruncatedMemory();
            program.truncatePostedMemory();
            program.captureTruncatedMemory();
            program.closeMemoryDuringRead();
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace(System.out);
            System.exit(1);
        }
    }

    private void grow() throws IOException {
        file.truncate(0);
        file.write(ByteBuffer.allocate(1), SIZE - 1);
    }

    private MemorySegment map(Arena arena) throws IOException {
        grow();
        return file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
    }

    private static void check(boolean condition, Object message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    private static SendWorkRequest write(LayeredPair pair, MemoryRegion region) {
        return pair.write(1, SendFlags.SIGNALED).sge(region, 0, SIZE);
    }

    private static void awaitFlush(LayeredPair pair) {
        List<String> completions = pair.await(pair.sendCq, 1);
        check(completions.equals(List.of("1 WR_FLUSH_ERR")), completions);
    }

    private void postTruncatedMemory() throws IOException {
        StrictMode strict = StrictMode.reporting();
        try (LayeredPair pair = new LayeredPair(strict); Arena arena = Arena.ofShared()) {
            MemoryRegion region = pair.pd.registerMemory(map(arena), Access.LOCAL_WRITE);
            pair.sender.modify(QpAttributes.builder().state(QpState.ERR).build());
            for (int i = 0; i < warmUp; i++) {
                pair.sender.postSend(write(pair, region));
                awaitFlush(pair);
            }
            for (int i = 0; i < ROUNDS; i++) {
                file.truncate(i % 2 == 0 ? 0 : SIZE / 2);
                pair.sender.postSend(write(pair, region));
                awaitFlush(pair);
                grow();
                pair.sender.postSend(write(pair, region));
                awaitFlush(pair);
            }
            check(strict.violations().isEmpty(), strict.violations());
            region.close();
        }
    }

    private void truncatePostedMemory() throws IOException {
        StrictMode strict = StrictMode.reporting();
        try (LayeredPair pair = new LayeredPair(strict); Arena arena = Arena.ofShared()) {
            MemoryRegion region = pair.pd.registerMemory(map(arena), Access.LOCAL_WRITE);
            pair.sender.modify(QpAttributes.builder().state(QpState.ERR).build());
            for (int i = 0; i < ROUNDS; i++) {
                pair.sender.postSend(write(pair, region));
                file.truncate(0);
                awaitFlush(pair);
                grow();
            }
            check(strict.violations().isEmpty(), strict.violations());
            region.close();
        }
    }

    private void captureTruncatedMemory() throws IOException {
        try (LayeredPair pair = new LayeredPair();
                Arena arena = Arena.ofShared();
                PacketCapture.Running running = pair.context.device().capability(PacketCapture.class).orElseThrow()
                        .start(folder.resolve("capture.pcapng") + "?ring=10")) {
            MemoryRegion region = pair.pd.registerMemory(map(arena), Access.LOCAL_WRITE);
            QueuePair qp = pair.datagramQueuePair(1, 0);
            AddressHandle handle = pair.loopbackAddress();
            for (int i = 0; i < warmUp + ROUNDS; i++) {
                if (i >= warmUp) {
                    file.truncate(0);
                }
                qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).wrId(i)
                        .sge(region, 0, DATAGRAM).destination(handle, UNKNOWN_QPN, 1));
                check(pair.await(pair.sendCq, 1).size() == 1, "expected one completion");
                if (i >= warmUp) {
                    grow();
                }
            }
            check(running.packets() + running.dropped() == warmUp + ROUNDS, running.packets());
            region.close();
        }
    }

    /** The payload is so long that the arena is closed while the payload is read. */
    private void closeMemoryDuringRead() throws InterruptedException {
        int bytes = 32 << 20;
        StrictMode strict = StrictMode.reporting();
        try (LayeredPair pair = new LayeredPair(strict)) {
            pair.sender.modify(QpAttributes.builder().state(QpState.ERR).build());
            for (int i = 0; i < 10; i++) {
                Arena arena = Arena.ofShared();
                MemoryRegion region = pair.pd.registerMemory(arena.allocate(bytes, 8), Access.LOCAL_WRITE);
                CountDownLatch posting = new CountDownLatch(1);
                Thread closer = Thread.ofPlatform().unstarted(() -> {
                    try {
                        posting.await();
                        Thread.sleep(1);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    arena.close();
                });
                Throwable[] failure = new Throwable[1];
                closer.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
                closer.start();
                posting.countDown();
                pair.sender.postSend(pair.write(1, SendFlags.SIGNALED).sge(region, 0, bytes));
                awaitFlush(pair);
                closer.join();
                check(failure[0] == null, failure[0]);
                region.close();
            }
            check(strict.violations().isEmpty(), strict.violations());
        }
    }
}
