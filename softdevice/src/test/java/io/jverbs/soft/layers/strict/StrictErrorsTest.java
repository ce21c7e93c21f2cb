package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that an Error thrown within a verb in strict mode leaves no lock held and loses no request or completion. */
@Timeout(120)
final class StrictErrorsTest extends StrictReports {
    private static final int SECONDS = 100;

    @TempDir
    private Path folder;

    /** A device layer that passes a request to the device and then throws an Error. */
    private static final class Failing implements DeviceLayer {
        private boolean fails;

        @Override
        public int position() {
            return DEVICE;
        }

        @Override
        public ContextOps wrap(ProviderDevice device, ContextOps inner) {
            DataPath below = inner.dataPath();
            return new ForwardingContext(inner) {
                @Override
                public DataPath dataPath() {
                    return new Path(below);
                }
            };
        }

        private final class Path implements DataPath {
            private final DataPath below;

            Path(DataPath below) {
                this.below = below;
            }

            private long throwOrReturn(long result) {
                if (fails) {
                    throw new OutOfMemoryError("thrown by the test device");
                }
                return result;
            }

            @Override
            public long postSend(Handle.Qp qp, SendWorkRequest head) {
                return throwOrReturn(below.postSend(qp, head));
            }

            @Override
            public long postReceive(Handle.Qp qp, ReceiveWorkRequest head) {
                return throwOrReturn(below.postReceive(qp, head));
            }

            @Override
            public long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
                return throwOrReturn(below.postSharedReceive(srq, head));
            }

            @Override
            public int poll(Handle.Cq cq, WorkCompletions completions, int max) {
                return below.poll(cq, completions, max);
            }

            @Override
            public int requestNotification(Handle.Cq cq, boolean solicitedOnly) {
                return below.requestNotification(cq, solicitedOnly);
            }
        }
    }

    @Test
    void anErrorOfTheDeviceCausesNoReportAndLeavesNoLockHeld() throws InterruptedException {
        Failing device = new Failing();
        try (LayeredPair pair = new LayeredPair(strict, device)) {
            device.fails = true;
            assertThrows(OutOfMemoryError.class, () -> pair.sender.postSend(pair.write(1, SendFlags.SIGNALED)));
            assertThrows(OutOfMemoryError.class, () -> pair.receiver.postReceive(pair.receive(2)));
            device.fails = false;
            assertEquals(List.of("1 SUCCESS"), pair.await(pair.sendCq, 1), "the device had accepted the request");
            Thread other = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < LayeredPair.DEPTH; i++) {
                    pair.sender.postSend(pair.write(i, i == 0 ? SendFlags.SIGNALED : 0));
                }
            });
            assertTrue(other.join(Duration.ofSeconds(SECONDS)));
            pair.await(pair.sendCq, 1);
            assertNothingFound();
        }
        assertNothingFound();
    }

    @Test
    void noRequestIsLostOrDuplicatedWhenTheStackOverflows() throws Exception {
        run("-Xmx64m", ResourceExhaustionProgram.class, "stack");
    }

    @Test
    @Tag("variants")
    void noRequestIsLostOrDuplicatedWhenTheHeapIsFull() throws Exception {
        run("-Xmx12m", ResourceExhaustionProgram.class, "heap");
    }

    private void run(String option, Class<?> program, String argument) throws Exception {
        Path output = folder.resolve("output");
        Process child = new ProcessBuilder(TestJvm.java(), option, "-XX:+UseSerialGC", "-cp", TestJvm.classPath(),
                program.getName(), argument).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            assertTrue(child.waitFor(SECONDS, TimeUnit.SECONDS), () -> read(output));
            assertEquals(0, child.exitValue(), () -> read(output));
        } finally {
            child.destroyForcibly();
        }
    }

    private static String read(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
