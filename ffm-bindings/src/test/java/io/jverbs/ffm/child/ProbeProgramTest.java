package io.jverbs.ffm.child;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the result of the probe in a separate JVM with different options, and that nothing else is printed. */
@EnabledOnOs(OS.LINUX)
class ProbeProgramTest {

    private static final String ABSENT = "-Djverbs.libibverbs=libibverbs-nowhere.so.1";
    private static final String NOT_VERBS = "-Djverbs.libibverbs=libm.so.6";
    private static final String ALLOWED = " allowed are the path of libibverbs.so.1 of rdma-core, and a name under"
            + " which the dynamic linker finds it (libibverbs1 and ibverbs-providers on Debian and Ubuntu, libibverbs"
            + " on Fedora and its derivatives); see docs/devices.md";

    @TempDir
    private Path folder;

    @Test
    void withoutNativeAccessOnTheClassPathTheOptionIsReported() throws IOException {
        assertPrints("NATIVE_ACCESS_NOT_ENABLED: native access is not enabled: start Java with"
                + " --enable-native-access=ALL-UNNAMED", ChildJvm.onClassPath(folder, ProbeProgram.class));
    }

    @Test
    void withoutNativeAccessOnTheModulePathTheOptionNamesTheModule() throws IOException {
        assertPrints("NATIVE_ACCESS_NOT_ENABLED: native access is not enabled: start Java with"
                + " --enable-native-access=io.jverbs.ffm", ChildJvm.onModulePath(folder, ProbeProgram.class));
    }

    @Test
    void anOptionForAnotherModuleDoesNotEnableNativeAccess() throws IOException {
        assertPrints(
                "NATIVE_ACCESS_NOT_ENABLED: native access is not enabled: start Java with"
                        + " --enable-native-access=io.jverbs.ffm",
                ChildJvm.onModulePath(folder, ProbeProgram.class, "--enable-native-access=ALL-UNNAMED"));
    }

    @Test
    void aPropertyThatNamesAnAbsentLibraryIsReportedWithWhatIsAllowed() throws IOException {
        assertPrints(
                "LIBRARY_ABSENT: system property jverbs.libibverbs=libibverbs-nowhere.so.1: it cannot be loaded;"
                        + ALLOWED,
                ChildJvm.onModulePath(folder, ProbeProgram.class, "--enable-native-access=io.jverbs.ffm", ABSENT));
    }

    @Test
    void aPropertyThatNamesAWrongLibraryIsReportedWithTheMissingFunction() throws IOException {
        assertPrints(
                "SYMBOL_MISSING: system property jverbs.libibverbs=libm.so.6: it has no function ibv_get_device_list;"
                        + ALLOWED,
                ChildJvm.onClassPath(folder, ProbeProgram.class, "--enable-native-access=ALL-UNNAMED", NOT_VERBS));
    }

    private static void assertPrints(String expected, ChildJvm.Result result) {
        assertEquals(new ChildJvm.Result(0, expected, ""), result);
    }
}
