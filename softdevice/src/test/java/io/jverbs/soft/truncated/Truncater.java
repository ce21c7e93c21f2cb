package io.jverbs.soft.truncated;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.LockSupport;

/** A thread that truncates a file at a given time, while another thread uses the file's memory. */
final class Truncater implements AutoCloseable {
    private final Thread thread = Thread.ofPlatform().daemon().name("truncater").unstarted(this::run);
    /** Written before {@link #requested} is set. */
    private MappedFile file;
    private long size;
    private long end;
    private volatile boolean requested;
    private volatile boolean closed;

    Truncater() {
        thread.start();
    }

    /** Truncates a file to a size after a delay. */
    void start(MappedFile truncated, long newSize, long nanos) {
        file = truncated;
        size = newSize;
        end = System.nanoTime() + nanos;
        requested = true;
        LockSupport.unpark(thread);
    }

    /** Waits until the file is truncated. */
    void await() {
        while (requested) {
            Thread.onSpinWait();
        }
    }

    private void run() {
        while (!closed) {
            if (requested) {
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                try {
                    file.truncate(size);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                requested = false;
            } else {
                LockSupport.park(this);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
