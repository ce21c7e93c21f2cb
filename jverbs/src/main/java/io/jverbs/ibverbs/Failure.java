package io.jverbs.ibverbs;

import io.jverbs.Errno;
import io.jverbs.VerbsException;

/** Turns what libibverbs returns into exceptions. */
final class Failure {
    private Failure() {}

    /** Passes an errno of 0; anything else is an exception. */
    static void check(String operation, int errno) {
        if (errno != 0) {
            throw of(operation, errno, "the device refused");
        }
    }

    static void check(String operation, int errno, String explanation) {
        if (errno != 0) {
            throw of(operation, errno, explanation);
        }
    }

    /** Passes an address; -errno is an exception. */
    static long pointer(String operation, long result, String explanation) {
        if (result < 0 && result > -4096) {
            throw of(operation, (int) -result, explanation);
        }
        return result;
    }

    /** Names the errno's meaning as strerror(3) does, since the driver says no more. */
    static VerbsException of(String operation, int errno, String explanation) {
        Errno error = Errno.of(errno);
        return new VerbsException(operation, errno,
                explanation + (error == Errno.UNKNOWN ? "" : " (" + error.description() + ")"));
    }
}
