package io.jverbs.samples.interop;

import io.jverbs.samples.interop.process.InteropSettings;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The sample riostream, which maps a buffer and writes to that of the peer, with the program of rdmacm-utils. It needs
 * rxe0: {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class RiostreamInterop {
    private static final int FIRST_PORT = 19_400;

    @TestFactory
    Stream<DynamicTest> bothSidesWriteIntoTheMappedBufferOfTheOther() {
        return new StreamPairings("riostream", InteropSettings.ofSystemProperties(), FIRST_PORT)
                .tests("-S 64 -C 1 -I 150 -T b -T v", "-S 1000 -C 50 -I 2", "-S 1000 -C 20 -I 3 -T a -T v",
                        "-S 100000 -C 20 -I 2 -T b -T v", "-S 300000 -C 4 -I 2 -T a -T b -T v",
                        "-S 5000 -C 40 -I 2 -T n -T v", "-S 70000 -C 10 -I 2 -B 16384 -T b -T v",
                        "-S 1024 -C 10 -I 2 -i 0 -T v");
    }
}
