package io.jverbs.samples.applications;

import java.util.Random;

/** Bytes that a program sends and checks. */
final class Payload {
    private Payload() {}

    /** Returns bytes that are the same in each call. */
    static byte[] of(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
