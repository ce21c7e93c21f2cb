package io.jverbs;

import java.io.Serial;
import java.util.Objects;

/**
 * A verb failed. Carries the operation by its C name without {@code ibv_}, the error number, and an explanation that
 * names what was wrong and what would be right:
 *
 * <pre>create_cq: EINVAL (22): cqe 0 is outside 1..262144</pre>
 */
public final class VerbsException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The operation that failed. */
    private final String operation;
    /** The error number, also where {@link Errno} has no name for it. */
    private final int errno;

    /**
     * Makes an exception for a known error.
     *
     * @param operation the verb that failed, for instance {@code create_cq}
     * @param error the error
     * @param explanation what was wrong and what would be right, for people
     */
    public VerbsException(String operation, Errno error, String explanation) {
        this(operation, Objects.requireNonNull(error, "error").code(), explanation);
    }

    /**
     * Makes an exception for an error number, for instance one that a native library returned.
     *
     * @param operation the verb that failed, for instance {@code create_cq}
     * @param rawErrno the positive error number
     * @param explanation what was wrong and what would be right, for people
     */
    public VerbsException(String operation, int rawErrno, String explanation) {
        super(message(operation, rawErrno, explanation));
        this.operation = operation;
        this.errno = rawErrno;
    }

    /**
     * Makes an exception with EINVAL for a number that is out of its range.
     *
     * @param operation the verb that failed
     * @param argument the name of the argument
     * @param value its value
     * @param min the least legal value
     * @param max the largest legal value
     * @return the exception, to be thrown
     */
    public static VerbsException outOfRange(String operation, String argument, long value, long min, long max) {
        return new VerbsException(operation, Errno.EINVAL,
                Objects.requireNonNull(argument, "argument") + " " + value + " is outside " + min + ".." + max);
    }

    /** {@return the verb that failed, by its C name without {@code ibv_}} */
    public String operation() {
        return operation;
    }

    /** {@return the error, {@link Errno#UNKNOWN} where there is no name for the number} */
    public Errno error() {
        return Errno.of(errno);
    }

    /** {@return the error number, positive} */
    public int errno() {
        return errno;
    }

    private static String message(String operation, int errno, String explanation) {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(explanation, "explanation");
        Errno error = Errno.of(errno);
        String number = error == Errno.UNKNOWN ? "errno " + errno : error + " (" + errno + ")";
        return operation + ": " + number + ": " + explanation;
    }
}
