package io.jverbs;

import java.io.Serial;
import java.util.Objects;

/**
 * Thrown when a verb fails. It has the operation, which is the C name of the verb without {@code ibv_}, and the error
 * number. The message explains the cause and what to do:
 *
 * <pre>create_cq: EINVAL (22): cqe 0 is outside 1..262144</pre>
 */
public final class VerbsException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The failed operation. */
    private final String operation;
    /** The error number; {@link Errno} may have no constant for it. */
    private final int errno;
    private final String explanation;

    /**
     * Creates an exception with an error.
     *
     * @param operation the failed operation, for example {@code create_cq}
     * @param error the error
     * @param explanation the cause and what to do, for the message
     */
    public VerbsException(String operation, Errno error, String explanation) {
        this(operation, Objects.requireNonNull(error, "error").code(), explanation);
    }

    /**
     * Creates an exception with an error number, for example one that a native library returned.
     *
     * @param operation the failed operation, for example {@code create_cq}
     * @param rawErrno the error number, positive
     * @param explanation the cause and what to do, for the message
     */
    public VerbsException(String operation, int rawErrno, String explanation) {
        super(message(operation, rawErrno, explanation));
        this.operation = operation;
        this.errno = rawErrno;
        this.explanation = explanation;
    }

    /**
     * Creates an exception with EINVAL for a number that is out of range.
     *
     * @param operation the failed operation
     * @param argument the name of the argument
     * @param value the value of the argument
     * @param min the minimum legal value
     * @param max the maximum legal value
     * @return the exception
     */
    public static VerbsException outOfRange(String operation, String argument, long value, long min, long max) {
        return new VerbsException(operation, Errno.EINVAL,
                Objects.requireNonNull(argument, "argument") + " " + value + " is outside " + min + ".." + max);
    }

    /** {@return the failed operation: the C name of the verb without {@code ibv_}} */
    public String operation() {
        return operation;
    }

    /** {@return the error; {@link Errno#UNKNOWN} if there is no constant for the error number} */
    public Errno error() {
        return Errno.of(errno);
    }

    /** {@return the error number, positive} */
    public int errno() {
        return errno;
    }

    /** {@return the cause and what to do: the message without the operation and the error} */
    public String explanation() {
        return explanation;
    }

    private static String message(String operation, int errno, String explanation) {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(explanation, "explanation");
        Errno error = Errno.of(errno);
        String number = error == Errno.UNKNOWN ? "errno " + errno : error + " (" + errno + ")";
        return operation + ": " + number + ": " + explanation;
    }
}
