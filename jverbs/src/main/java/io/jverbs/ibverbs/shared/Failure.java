package io.jverbs.ibverbs.shared;

import io.jverbs.Errno;
import io.jverbs.VerbsException;

/** Converts the results of libibverbs to exceptions. Has no state. */
public final class Failure {
    private Failure() {}

    /**
     * Throws an exception unless the errno is 0.
     *
     * @param operation the name of the verb
     * @param errno 0 or the errno
     */
    public static void check(String operation, int errno) {
        check(operation, errno, "the device refused the operation");
    }

    /**
     * Throws an exception unless the errno is 0.
     *
     * @param operation the name of the verb
     * @param errno 0 or the errno
     * @param explanation a constant: to build a text after a successful call could throw an Error
     */
    public static void check(String operation, int errno, String explanation) {
        if (errno != 0) {
            throw of(operation, errno, explanation);
        }
    }

    /**
     * {@return whether the result of a call is -errno instead of an address}
     *
     * @param result the result
     */
    public static boolean isErrno(long result) {
        return result < 0 && result > -4096;
    }

    /**
     * Throws an exception if the result of a call is -errno instead of an address.
     *
     * @param operation the name of the verb
     * @param result the result
     * @param explanation what failed
     * @return the address
     */
    public static long pointer(String operation, long result, String explanation) {
        if (isErrno(result)) {
            throw of(operation, (int) -result, explanation);
        }
        return result;
    }

    /**
     * Makes an exception that adds the text of strerror(3), because the driver gives no other reason.
     *
     * @param operation the name of the verb
     * @param errno the errno
     * @param explanation what failed
     * @return the exception
     */
    public static VerbsException of(String operation, int errno, String explanation) {
        Errno error = Errno.of(errno);
        return new VerbsException(operation, errno,
                explanation + (error == Errno.UNKNOWN ? "" : " (" + error.description() + ")"));
    }
}
