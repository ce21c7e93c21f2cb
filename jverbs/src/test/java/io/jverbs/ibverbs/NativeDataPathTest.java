package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.ffm.NativeLibrary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.console.ConsoleLauncher;

/**
 * Runs the tests of the native device with a stub of libibverbs, in separate JVMs. They use no network, so that several
 * can run at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
class NativeDataPathTest {

    /** The folder of all tests, so that the stubs are compiled once. */
    @TempDir
    private static Path folder;

    /** Runs test classes in a JVM, which does not live long enough for its optimizing compiler. */
    private void testsOf(List<String> options, Class<?>... tests) throws Exception {
        List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        all.addAll(options);
        List<String> arguments = new ArrayList<>(
                List.of("execute", "--disable-banner", "--disable-ansi-colors", "--fail-if-no-tests"));
        for (Class<?> each : tests) {
            arguments.add("--select-class=" + each.getName());
        }
        StubJvm.Ended ended = StubJvm.in(folder).run(all, ConsoleLauncher.class, arguments.toArray(String[]::new));
        assertEquals(0, ended.status(), ended::output);
    }

    /** Results of the driver; events and closes; Errors in control verbs; layers. */
    @Test
    void theNativeDevicePassesItsTestsOnAStubOfLibibverbs() throws Exception {
        testsOf(List.of(), OnStubLibrary.class, OnStubLibraryWithThreads.class, OnStubLibraryWithErrors.class,
                OnStubLibraryWithLayers.class);
    }

    /** Also with Errors, which leak nothing and destroy nothing twice. */
    @Test
    void theConnectionManagerPassesItsTestsOnAStubOfLibrdmacm() throws Exception {
        testsOf(List.of(StubJvm.in(folder).connectionManager()), OnStubConnectionManager.class,
                OnStubConnectionManagerWithErrors.class);
    }

    @Test
    void withoutLibrdmacmTheConnectionManagerFailsWithTheReason() throws Exception {
        testsOf(List.of("-D" + NativeLibrary.RDMACM_PROPERTY + "=librdmacm-nowhere.so.1"),
                OnAbsentConnectionManager.class);
    }

    @Test
    void aThreadWaitingForAnEventReleasesTheOnlyCarrierThread() throws Exception {
        testsOf(List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                StubJvm.in(folder).connectionManager()), OnOneCarrier.class);
    }

    @Test
    void theEventThreadContinuesAfterAnInterrupt() throws Exception {
        testsOf(List.of(), OnInterruptedPoller.class);
    }

    @ParameterizedTest
    @CsvSource({"heap, 16", "stack, 1"})
    void aVerbThatFailsForLackOfMemoryLeavesNoObjectBehindAndDestroysNoneTwice(String exhausted, String steps)
            throws Exception {
        exhausted(exhausted, steps);
    }

    /** The same with the free memory growing in the smallest steps there are; each attempt collects the garbage. */
    @Test
    @Tag("variants")
    void aVerbThatFailsAnywhereForLackOfHeapLeavesNoObjectBehindAndDestroysNoneTwice() throws Exception {
        exhausted("heap", "1");
    }

    private void exhausted(String... arguments) throws Exception {
        StubJvm.Ended ended = StubJvm.in(folder).run(List.of("-Xmx10m", "-XX:+UseSerialGC"), ExhaustedMemory.class,
                arguments);
        assertEquals(0, ended.status(), ended::output);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void anUnclosedContextDoesNotKeepTheJvmAlive(int status) throws Exception {
        StubJvm.Ended ended = StubJvm.in(folder).run(List.of(), AbandonsContext.class, Integer.toString(status));
        assertEquals(status, ended.status(), ended::output);
        assertTrue(ended.output().contains(AbandonsContext.WAITING), ended::output);
    }
}
