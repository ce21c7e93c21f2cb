package io.jverbs.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * What a channel does after it has chosen a transport. The methods are those of {@code SocketChannel}, with their
 * exceptions; those with arrays are for the streams of its socket, and block. Thread-safe.
 */
interface SocketTransfers {
    /** {@return the number of bytes, 0 or -1} */
    int read(ByteBuffer into) throws IOException;

    /** {@return the number of bytes, 0 or -1} */
    long read(ByteBuffer[] into, int offset, int length) throws IOException;

    /** {@return the number of bytes} */
    int write(ByteBuffer from) throws IOException;

    /** {@return the number of bytes} */
    long write(ByteBuffer[] from, int offset, int length) throws IOException;

    /**
     * {@return the number of bytes, or -1}
     *
     * @param nanos the maximum time to wait, 0 for no limit; afterwards throws SocketTimeoutException
     */
    int read(byte[] into, int offset, int length, long nanos) throws IOException;

    /** Writes all bytes. */
    void write(byte[] from, int offset, int length) throws IOException;

    /** {@return the number of bytes that can be read without waiting} */
    int available() throws IOException;

    /** Ends the input. */
    void shutdownInput() throws IOException;

    /** Ends the output. */
    void shutdownOutput() throws IOException;

    /** {@return whether the input was ended by this side} */
    boolean isInputShut();

    /** {@return whether the output was ended by this side} */
    boolean isOutputShut();

    /** Sets an option that is supported; the type of the value was checked. */
    <T> void setOption(SocketOption<T> option, T value) throws IOException;

    /** {@return the value of an option that is supported} */
    <T> T getOption(SocketOption<T> option) throws IOException;

    /** {@return the options that are supported} */
    Set<SocketOption<?>> supportedOptions();

    /** Closes the connection. */
    void close() throws IOException;
}
