package io.jverbs.ibverbs.rdmacm;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.ibverbs.shared.Failure;
import java.util.Arrays;

/** The exceptions of calls that the kernel refuses, or that would not end well if they were made. */
final class Refusals {

    private Refusals() {}

    /**
     * Throws the exception of an errno other than 0.
     *
     * @param now the state of the ID
     * @param allowed the states in which the call is allowed
     */
    static void check(String operation, int errno, CmIdState now, CmIdState... allowed) {
        if (errno == 0) {
            return;
        }
        boolean isRefused = errno == Errno.EINVAL.code();
        if (isRefused) {
            checkState(operation, now, allowed);
        }
        // the kernel changes the state before the program retrieves the event that tells of it
        String reason = isRefused && !isAny(allowed)
                ? ", which allows it; if the peer has ended the connection meanwhile, an event of the ID tells it"
                : Arrays.asList(allowed).contains(now) ? "" : states(allowed);
        throw Failure.of(operation, errno, "the kernel refused the call for an ID in state " + now + reason);
    }

    /** Throws the exception of a call that needs the device of an ID, which has none. */
    static void withoutDevice(String operation, CmIdState now, CmIdState... allowed) {
        checkState(operation, now, allowed);
        throw new VerbsException(operation, Errno.EINVAL, "the ID in state " + now + " has no device");
    }

    private static void checkState(String operation, CmIdState now, CmIdState... allowed) {
        if (!Arrays.asList(allowed).contains(now)) {
            throw new VerbsException(operation, Errno.EINVAL, "the ID is in state " + now + states(allowed));
        }
    }

    private static boolean isAny(CmIdState... allowed) {
        return allowed.length == CmIdState.values().length;
    }

    private static String states(CmIdState... allowed) {
        return isAny(allowed) ? "" : ", allowed: " + Arrays.toString(allowed);
    }
}
