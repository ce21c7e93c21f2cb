package io.jverbs.samples.rsocket;

import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.UsageFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * Sends a file to a server of rcopy.
 *
 * @param source the file
 * @param destination the path of the file on the server
 * @param out standard output
 */
record CopyClient(Path source, String destination, PrintWriter out) {
    private static final int PATH_UNIT = 8;
    private static final long CHUNK = 1 << 30;
    /** A regular file that its owner can read and write and others can read, as st_mode has it. */
    private static final int DEFAULT_MODE = 0100644;

    /** Sends the file. */
    void run(ByteStream stream) throws IOException, InterruptedException {
        out.print("opening...");
        out.flush();
        try (FileChannel file = FileChannel.open(source, StandardOpenOption.READ)) {
            open(stream);
            long bytes = file.size();
            out.print("transferring...");
            out.flush();
            long start = System.nanoTime();
            write(stream, file, bytes);
            long nanos = System.nanoTime() - start;
            out.print("closing...");
            out.flush();
            CopyMessage.command(CopyMessage.CLOSE, CopyMessage.BYTES, 0).send(stream);
            requireSuccess("close", CopyMessage.receiveResponse(stream, CopyMessage.CLOSE));
            out.println("done");
            stream.shutdown();
            out.printf(Locale.ROOT, "%d bytes in %.2f seconds = %.2f Gb/sec%n", bytes, nanos / 1e9,
                    bytes * 8.0 / nanos);
            out.flush();
        } catch (NoSuchFileException e) {
            throw new UsageFailure("there is no file " + source);
        }
    }

    private void open(ByteStream stream) throws IOException, InterruptedException {
        byte[] path = destination.getBytes(StandardCharsets.UTF_8);
        // the path ends with at least one zero byte
        int length = CopyMessage.BYTES + (path.length + PATH_UNIT) / PATH_UNIT * PATH_UNIT;
        if (length > CopyMessage.MAX_LENGTH) {
            throw new UsageFailure("the destination has " + path.length + " bytes; allowed are at most "
                    + (CopyMessage.MAX_LENGTH - CopyMessage.BYTES - PATH_UNIT));
        }
        ByteBuffer message = CopyMessage.buffer(length);
        CopyMessage.command(CopyMessage.OPEN, length, mode()).put(message).put(path);
        stream.write(message.position(length).flip());
        requireSuccess("open " + destination, CopyMessage.receiveResponse(stream, CopyMessage.OPEN));
    }

    private int mode() throws IOException {
        return source.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? (int) Files.getAttribute(source, "unix:mode")
                : DEFAULT_MODE;
    }

    private static void write(ByteStream stream, FileChannel file, long bytes)
            throws IOException, InterruptedException {
        ByteBuffer message = CopyMessage.buffer(CopyMessage.WRITE_BYTES);
        CopyMessage.command(CopyMessage.WRITE, CopyMessage.WRITE_BYTES, 0).put(message).putLong(bytes);
        stream.write(message.flip());
        for (long offset = 0; offset < bytes; offset += CHUNK) {
            stream.write(file.map(FileChannel.MapMode.READ_ONLY, offset, Math.min(CHUNK, bytes - offset)));
        }
        requireSuccess("write", CopyMessage.receiveResponse(stream, CopyMessage.WRITE));
    }

    private static void requireSuccess(String action, int errno) {
        if (errno != 0) {
            throw new SampleFailure("the server could not " + action + ": errno " + errno);
        }
    }
}
