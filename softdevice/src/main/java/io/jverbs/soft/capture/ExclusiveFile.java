package io.jverbs.soft.capture;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens files that one process writes at a time. */
final class ExclusiveFile {
    private static final Logger LOG = LoggerFactory.getLogger(ExclusiveFile.class);
    /** Far from all that is written: where a lock keeps others from reading, it does not keep them from that. */
    private static final long LOCKED = Long.MAX_VALUE - 1;

    private ExclusiveFile() {}

    /** Somebody else writes the file. */
    static final class InUse extends IOException {
        private static final long serialVersionUID = 1;

        InUse() {
            super("it is being written");
        }
    }

    /**
     * Opens a file, and empties it once it is ours; what is no ordinary file is for all who like.
     *
     * @throws InUse if another process, or this one by another name, has opened it so
     * @throws IOException if it cannot be written
     */
    static FileChannel open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (Files.isRegularFile(file)) {
                if (!isOurs(channel, file)) {
                    throw new InUse();
                }
                channel.truncate(0);
            }
            return channel;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** The lock goes with the channel. */
    private static boolean isOurs(FileChannel channel, Path file) {
        try {
            return channel.tryLock(LOCKED, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            LOG.debug("No lock where {} is", file, e);
            return true;
        }
    }
}
