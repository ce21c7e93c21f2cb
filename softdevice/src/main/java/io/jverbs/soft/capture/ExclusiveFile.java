package io.jverbs.soft.capture;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that only one process writes at a time, ensured by a file lock. Unlike a {@link FileChannel}, it is not closed
 * when its thread is interrupted. Not thread-safe.
 */
final class ExclusiveFile implements WritableByteChannel {
    private static final Logger LOG = LoggerFactory.getLogger(ExclusiveFile.class);
    /**
     * The position of the locked byte, far behind the end of the file. Where locks are mandatory, other processes can
     * still read the file.
     */
    private static final long LOCK_POSITION = Long.MAX_VALUE - 1;
    /**
     * The largest number of bytes that the JVM writes without allocating native memory. A write can then fail only
     * because of the disk.
     */
    private static final int CHUNK = 8192;

    private final byte[] chunk = new byte[CHUNK];
    private FileOutputStream out;
    private boolean open = true;

    private ExclusiveFile() {}

    /** Thrown if the file is being written by another process, or by this one under another name. */
    static final class InUse extends IOException {
        private static final long serialVersionUID = 1;

        InUse() {
            super("the file is being written");
        }
    }

    /**
     * Opens a file for writing, locks it and truncates it. A file that is not a regular file, such as a pipe, is
     * neither locked nor truncated.
     *
     * @throws InUse if another process, or this one under another name, has locked the file
     * @throws IOException if the file cannot be opened for writing
     */
    static ExclusiveFile open(Path file) throws IOException {
        ExclusiveFile opened = new ExclusiveFile();
        while (true) {
            try {
                // last: after an Error that came later, nothing would close the file
                opened.out = openLocked(file);
                return opened;
            } catch (ClosedByInterruptException e) {
                LOG.debug("Interrupted while opening {}; opening it again", file, e);
                Thread.interrupted();
            }
        }
    }

    private static FileOutputStream openLocked(Path file) throws IOException {
        FileOutputStream stream = openStream(file);
        try {
            if (Files.isRegularFile(file)) {
                FileChannel channel = stream.getChannel();
                if (!tryLock(channel, file)) {
                    throw new InUse();
                }
                channel.truncate(0);
            }
            return stream;
        } catch (IOException | RuntimeException | Error e) {
            stream.close();
            throw e;
        }
    }

    private static FileOutputStream openStream(Path file) throws IOException {
        try {
            return new FileOutputStream(file.toFile(), true);
        } catch (FileNotFoundException e) {
            // throws an exception that is more specific, if it fails too
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
            throw e;
        }
    }

    /** Locks the file until it is closed; returns false if it is locked already. */
    private static boolean tryLock(FileChannel channel, Path file) throws ClosedChannelException {
        try {
            return channel.tryLock(LOCK_POSITION, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            LOG.debug("The file system of {} does not support locks", file, e);
            return true;
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int all = from.remaining();
        while (from.hasRemaining()) {
            int next = Math.min(from.remaining(), CHUNK);
            from.get(chunk, 0, next);
            out.write(chunk, 0, next);
        }
        return all;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() throws IOException {
        open = false;
        out.close();
    }
}
