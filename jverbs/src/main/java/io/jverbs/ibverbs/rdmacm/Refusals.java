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
        boolean isAnyAllowed = allowed.length == CmIdState.values().length;
        String states = isAnyAllowed ? "" : ", allowed: " + Arrays.toString(allowed);
        if (errno == Errno.EINVAL.code() && !Arrays.asList(allowed).contains(now)) {
            throw new VerbsException(operation, Errno.EINVAL, "the ID is in state " + now + states);
        }
        throw Failure.of(operation, errno, "the kernel refused the call for an ID in state " + now + states);
    }
}
