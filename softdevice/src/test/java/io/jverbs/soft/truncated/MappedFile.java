package io.jverbs.soft.truncated;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A mapped file. While it is truncated, an access to the memory above its end raises SIGBUS. */
final class MappedFile implements AutoCloseable {
    /** Memory disappears in whole pages. */
    static final int PAGE = 4096;

    private final FileChannel channel;
    private final Arena arena = Arena.ofShared();
    private final int bytes;
    final MemorySegment segment;

    MappedFile(Path folder, int bytes) throws IOException {
        this.bytes = bytes;
        channel = FileChannel.open(Files.createTempFile(folder, "mapped", null), StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        extend();
        segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    }

    /** Gives the file its full length again. What was truncated is zero. */
    void extend() throws IOException {
        channel.write(ByteBuffer.allocate(1), bytes - 1);
    }

    void truncate(long size) throws IOException {
        channel.truncate(size);
    }

    @Override
    public void close() throws IOException {
        arena.close();
        channel.close();
    }
}
