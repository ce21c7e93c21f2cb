package io.jverbs.samples.rsocket;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Receives files from clients of rcopy, one after the other. Not thread-safe.
 */
final class CopyServer {
    private static final int EIO = 5;
    private static final int EBUSY = 16;
    private static final int EINVAL = 22;
    private static final long CHUNK = 1 << 30;

    private final PrintWriter out;
    /** The file that is open; null if none is. */
    private FileChannel file;

    CopyServer(PrintWriter out) {
        this.out = out;
    }

    /** Executes the commands of a client until it ends the stream, or one fails. */
    void serve(ByteStream stream) throws IOException, InterruptedException {
        try {
            boolean isServed = true;
            while (isServed) {
                CopyMessage message = CopyMessage.receive(stream);
                isServed = message != null && serve(stream, message);
            }
            stream.shutdown();
        } finally {
            close();
        }
    }

    private boolean serve(ByteStream stream, CopyMessage message) throws IOException, InterruptedException {
        int errno = switch (message.command()) {
            case CopyMessage.OPEN -> open(stream, message);
            case CopyMessage.WRITE -> write(stream, message);
            case CopyMessage.CLOSE -> {
                close();
                print("closing...done\n");
                yield 0;
            }
            default -> EINVAL;
        };
        message.response(errno).send(stream);
        return errno == 0;
    }

    private int open(ByteStream stream, CopyMessage message) throws IOException, InterruptedException {
        ByteBuffer path = CopyMessage.buffer(message.length() - CopyMessage.BYTES);
        if (!CopyMessage.receive(stream, path)) {
            return EINVAL;
        }
        String name = StandardCharsets.UTF_8.decode(path.flip()).toString();
        int end = name.indexOf('\0');
        name = end < 0 ? name : name.substring(0, end);
        print("opening: " + name + ", ");
        if (file != null) {
            print("cannot open another file\n");
            return EBUSY;
        }
        try {
            file = FileChannel.open(Path.of(name), StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
            return 0;
        } catch (IOException | IllegalArgumentException e) {
            print("unable to open destination file: " + e.getMessage() + "\n");
            return EIO;
        }
    }

    private int write(ByteStream stream, CopyMessage message) throws IOException, InterruptedException {
        if (message.length() != CopyMessage.WRITE_BYTES) {
            print("...invalid message length " + message.length() + "\n");
            return EINVAL;
        }
        ByteBuffer size = CopyMessage.buffer(Long.BYTES);
        CopyMessage.receive(stream, size);
        long bytes = size.getLong(0);
        if (file == null || bytes < 0) {
            print(file == null ? "...file not opened\n" : "...invalid size of the file\n");
            return EINVAL;
        }
        print("transferring..." + bytes + " bytes...");
        for (long offset = 0; offset < bytes; offset += CHUNK) {
            MappedByteBuffer part = file.map(FileChannel.MapMode.READ_WRITE, offset, Math.min(CHUNK, bytes - offset));
            if (!CopyMessage.receive(stream, part)) {
                print("...error receiving data\n");
                return EIO;
            }
        }
        return 0;
    }

    private void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    private void print(String text) {
        out.print(text);
        out.flush();
    }
}
