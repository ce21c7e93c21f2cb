package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.ffm.NativeLibrary;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.console.ConsoleLauncher;

/** Runs the tests of the native device with a stub of libibverbs, in a separate JVM. */
class NativeDataPathTest {

    /** The folder of all tests, so that the stubs are compiled once. */
    @TempDir
    private static Path folder;

    private void testsOf(Class<?> tests, String... options) throws Exception {
        StubJvm.Ended ended = StubJvm.in(folder).run(List.of(options), ConsoleLauncher.class, "execute",
                "--disable-banner", "--disable-ansi-colors", "--fail-if-no-tests",
                "--select-class=" + tests.getName());
        assertEquals(0, ended.status(), ended::output);
    }

    @Test
    void theDataPathWorksWithEveryResultOfTheDriver() throws Exception {
        testsOf(OnStubLibrary.class);
    }

    @Test
    void eventsAreAcknowledgedAndObjectsAreNotDestroyedWhileInUse() throws Exception {
        testsOf(OnStubLibraryWithThreads.class);
    }

    @Test
    void anErrorInAControlVerbLeaksNothingAndDestroysNothingTwice() throws Exception {
        testsOf(OnStubLibraryWithErrors.class);
    }

    @Test
    void layersWrapTheNativeDevice() throws Exception {
        testsOf(OnStubLibraryWithLayers.class);
    }

    @Test
    void theConnectionManagerWorksWithAStubOfLibrdmacm() throws Exception {
        testsOf(OnStubConnectionManager.class, StubJvm.in(folder).connectionManager());
    }

    @Test
    void anErrorInTheConnectionManagerLeaksNothingAndDestroysNothingTwice() throws Exception {
        testsOf(OnStubConnectionManagerWithErrors.class, StubJvm.in(folder).connectionManager());
    }

    @Test
    void withoutLibrdmacmTheConnectionManagerFailsWithTheReason() throws Exception {
        testsOf(OnAbsentConnectionManager.class, "-D" + NativeLibrary.RDMACM_PROPERTY + "=librdmacm-nowhere.so.1");
    }

    @Test
    void aThreadWaitingForAnEventReleasesTheOnlyCarrierThread() throws Exception {
        testsOf(OnOneCarrier.class, "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1");
    }

    @Test
    void theEventThreadContinuesAfterAnInterrupt() throws Exception {
        testsOf(OnInterruptedPoller.class);
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
        StubJvm.Ended ended = StubJvm.in(folder).run(List.of("-Xmx12m", "-XX:+UseSerialGC"), ExhaustedMemory.class,
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
