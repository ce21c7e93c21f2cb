package io.jverbs.contract.end;

/**
 * One end of a connection: a device with a context. It is controlled by commands and values only, so that it may be in
 * this JVM, in another process or on another machine. Objects are identified by ids of the end. Properties that the
 * other end needs (QPN, GID, PSN, rkey, address, bytes) are values.
 *
 * <p>
 * Any thread may call commands. Errors are thrown as {@link VerbsFailure} (with errno) or {@link EndFailure} (with the
 * name of the exception's class), whether the end is local or remote. All timeouts are in milliseconds.
 */
public interface End
        extends
            DeviceCommands,
            MemoryCommands,
            QueueCommands,
            WorkCommands,
            EventCommands,
            CmCommands,
            ControlCommands,
            JobCommands,
            AutoCloseable {

    /** Id of the context with which every end starts. */
    int MAIN = 0;

    /** No object. */
    int NONE = -1;

    /**
     * Closes every object that is still open, one by one, children first, restores ports and tables, and closes the
     * contexts. Throws an exception that lists the objects that could not be closed.
     */
    @Override
    void close();
}
