package io.jverbs.ibverbs;

import io.jverbs.Errno;
import io.jverbs.VerbsException;

/** Converts the results of libibverbs to exceptions. Has no state. */
final class Failure {
    private Failure() {}

    /** Throws an exception unless the errno is 0. */
    static void check(String operation, int errno) {
        check(operation, errno, "the device refused the operation");
    }

    /**
     * Throws an exception unless the errno is 0.
     *
     * @param explanation a constant: to build a text after a successful call could throw an Error
     */
    static void check(String operation, int errno, String explanation) {
        if (errno != 0) {
            throw of(operation, errno, explanation);
        }
    }

    /** Returns whether the result of a call is -errno instead of an address. */
    static boolean isErrno(long result) {
        return result < 0 && result > -4096;
    }

    /** Returns an address; throws an exception if the result is -errno instead. */
    static long pointer(String operation, long result, String explanation) {
        if (isErrno(result)) {
            throw of(operation, (int) -result, explanation);
        }
        return result;
    }

    /** Makes an exception that adds the text of strerror(3), because the driver gives no other reason. */
    static VerbsException of(String operation, int errno, String explanation) {
        Errno error = Errno.of(errno);
        return new VerbsException(operation, errno,
                explanation + (error == Errno.UNKNOWN ? "" : " (" + error.description() + ")"));
    }
}
