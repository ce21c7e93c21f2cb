package io.jverbs.bench.busy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written to the files of cgroups, in a folder with files of the same names. */
class CgroupTest {
    private static final String PID = Long.toString(ProcessHandle.current().pid());
    private static final List<String> IN_V2 = List.of("0::/user.slice/session");
    private static final List<String> IN_V1 = List.of("9:name=systemd:/elsewhere", "1:cpu,cpuacct:/", "0::/elsewhere");

    @TempDir
    Path mounts;
    private Path group;

    @BeforeEach
    void isRunByAProcess() {
        group = mounts.resolve("jverbs-bench-" + PID);
    }

    private void mountV2(String controllers) throws IOException {
        Files.writeString(mounts.resolve("cgroup.controllers"), "cpuset cpu memory\n");
        Files.writeString(mounts.resolve("cgroup.subtree_control"), controllers + "\n");
        Files.createFile(mounts.resolve("cgroup.procs"));
        Files.createDirectories(mounts.resolve("user.slice/session"));
    }

    private void mountV1() throws IOException {
        Files.createDirectories(mounts.resolve("cpu"));
        Files.createFile(mounts.resolve("cpu/cgroup.procs"));
        group = mounts.resolve("cpu").resolve(group.getFileName());
    }

    /** The kernel deletes the files of a group with it. */
    private void close(Cgroup joined) throws IOException {
        try (Stream<Path> files = Files.list(group)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        joined.close();
        assertFalse(Files.exists(group), "the group was not deleted");
    }

    @Test
    void aGroupOfVersion2IsLimitedByCpuMax() throws IOException {
        mountV2("cpu memory");
        assertNull(Cgroup.missing(mounts));

        Cgroup joined = Cgroup.join(mounts, IN_V2);
        assertEquals(PID, Files.readString(group.resolve("cgroup.procs")));
        assertFalse(Files.exists(group.resolve("cpu.max")), "limited before it was asked for");
        joined.limit();
        assertEquals("50000 100000", Files.readString(group.resolve("cpu.max")));
        joined.removeLimit();
        assertEquals("max 100000", Files.readString(group.resolve("cpu.max")));

        close(joined);
        assertEquals(PID, Files.readString(mounts.resolve("user.slice/session/cgroup.procs")));
    }

    @Test
    void aGroupOfVersion1IsLimitedByQuotaAndPeriod() throws IOException {
        mountV1();
        assertNull(Cgroup.missing(mounts));

        Cgroup joined = Cgroup.join(mounts, IN_V1);
        assertEquals(PID, Files.readString(group.resolve("cgroup.procs")));
        joined.limit();
        assertEquals("100000", Files.readString(group.resolve("cpu.cfs_period_us")));
        assertEquals("50000", Files.readString(group.resolve("cpu.cfs_quota_us")));
        joined.removeLimit();
        assertEquals("-1", Files.readString(group.resolve("cpu.cfs_quota_us")));

        close(joined);
        assertEquals(PID, Files.readString(mounts.resolve("cpu/cgroup.procs")));
    }

    @Test
    void theReasonIsGivenIfThereAreNoCgroups() throws IOException {
        assertEquals("it needs Linux's cgroups with the controller cpu in " + mounts, Cgroup.missing(mounts));
    }

    @Test
    void theReasonIsGivenIfTheControllerIsNotEnabled() throws IOException {
        mountV2("cpuset memory");
        assertEquals("it needs the controller cpu in " + mounts.resolve("cgroup.subtree_control")
                + ": write +cpu to it", Cgroup.missing(mounts));
    }

    @Test
    void aGroupOfAnotherRunIsNotUsed() throws IOException {
        mountV1();
        Files.createDirectory(group);

        assertThrows(FileAlreadyExistsException.class, () -> Cgroup.join(mounts, IN_V1));
        assertFalse(Files.exists(group.resolve("cgroup.procs")), "this process has moved to it");
    }

    @Test
    void aProcessOutsideTheHierarchyIsRefused() throws IOException {
        mountV1();
        assertTrue(assertThrows(IOException.class, () -> Cgroup.join(mounts, IN_V2)).getMessage()
                .contains("has no line of the hierarchy in " + mounts.resolve("cpu")));
        assertFalse(Files.exists(group), "a group was created");
    }
}
