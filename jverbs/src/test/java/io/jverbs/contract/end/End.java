package io.jverbs.contract.end;

/**
 * One end of a conversation: a device with a context, driven by commands and values only, so that it may live in
 * this JVM, in another process or on another machine. Objects are ids of the end; what the other end needs to know
 * (QPN, GID, PSN, rkey, address, bytes) are values.
 *
 * <p>Commands may be called by any thread. Errors arrive as {@link VerbsFailure} (with errno) or {@link EndFailure}
 * (with the name of the exception's class), whether the end is near or far. Every time-out is in milliseconds.
 */
public interface End
        extends
            DeviceCommands,
            MemoryCommands,
            QueueCommands,
            WorkCommands,
            EventCommands,
            ControlCommands,
            JobCommands,
            AutoCloseable {

    /** Id of the context every end starts with. */
    int MAIN = 0;

    /** No object. */
    int NONE = -1;

    /**
     * Closes every object that is left, children first, one by one, puts cables and tables back, and closes the
     * contexts. Fails with what could not be closed.
     */
    @Override
    void close();
}
