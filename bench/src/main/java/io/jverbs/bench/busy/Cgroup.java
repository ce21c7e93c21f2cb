package io.jverbs.bench.busy;

import io.jverbs.bench.suite.Needs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A control group of Linux that this process creates and moves to, and that the processes inherit which it starts
 * later; it can be limited to half a processor. It follows cgroups(7) and Linux's documents cgroup-v2 and sched-bwc.
 */
final class Cgroup implements Closeable {
    /** The processor time of a limited group in a period, in microseconds. */
    static final int QUOTA = 50_000;
    /** The period in microseconds. */
    static final int PERIOD = 100_000;
    private static final Path MOUNTS = Path.of("/sys/fs/cgroup");
    private static final Path OWN = Path.of("/proc/self/cgroup");
    private static final String PROCESSES = "cgroup.procs";

    private final Version version;
    private final Path before;
    private final Path group;

    /** The versions of cgroups. */
    enum Version {
        /** The unified hierarchy. */
        V2 {
            @Override
            Path hierarchy(Path mounts) {
                return mounts;
            }

            @Override
            boolean isOf(String controllers) {
                return controllers.isEmpty();
            }

            @Override
            void limit(Path group) throws IOException {
                Files.writeString(group.resolve("cpu.max"), QUOTA + " " + PERIOD);
            }

            @Override
            void removeLimit(Path group) throws IOException {
                Files.writeString(group.resolve("cpu.max"), "max " + PERIOD);
            }
        },
        /** The hierarchy of the controller cpu. */
        V1 {
            @Override
            Path hierarchy(Path mounts) {
                return mounts.resolve("cpu");
            }

            @Override
            boolean isOf(String controllers) {
                return Arrays.asList(controllers.split(",")).contains("cpu");
            }

            @Override
            void limit(Path group) throws IOException {
                Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD));
                Files.writeString(group.resolve("cpu.cfs_quota_us"), Integer.toString(QUOTA));
            }

            @Override
            void removeLimit(Path group) throws IOException {
                Files.writeString(group.resolve("cpu.cfs_quota_us"), "-1");
            }
        };

        /** {@return the folder of the root group} */
        abstract Path hierarchy(Path mounts);

        /** {@return whether a line of /proc/self/cgroup with these controllers is that of the hierarchy} */
        abstract boolean isOf(String controllers);

        abstract void limit(Path group) throws IOException;

        abstract void removeLimit(Path group) throws IOException;

        static Version of(Path mounts) {
            return Files.exists(mounts.resolve("cgroup.controllers")) ? V2 : V1;
        }
    }

    /** This process can create a group with a limit. */
    public static final class Creatable implements Needs.Condition {
        /** For the suite. */
        public Creatable() {
            // no state
        }

        @Override
        public String missing() {
            try {
                return Cgroup.missing(MOUNTS);
            } catch (IOException e) {
                return "it cannot read " + MOUNTS + ": " + e.getMessage();
            }
        }
    }

    private Cgroup(Version version, Path before, Path group) {
        this.version = version;
        this.before = before;
        this.group = group;
    }

    /** {@return a sentence if no group can be created in the hierarchies mounted in a folder; otherwise null} */
    static String missing(Path mounts) throws IOException {
        Version version = Version.of(mounts);
        Path root = version.hierarchy(mounts);
        if (version == Version.V1 && !Files.exists(root.resolve(PROCESSES))) {
            return "it needs Linux's cgroups with the controller cpu in " + mounts;
        }
        Path enabled = root.resolve("cgroup.subtree_control");
        if (version == Version.V2 && !List.of(Files.readString(enabled).strip().split(" ")).contains("cpu")) {
            return "it needs the controller cpu in " + enabled + ": write +cpu to it";
        }
        return Files.isWritable(root) && Files.isWritable(root.resolve(PROCESSES))
                ? null
                : "it needs the permission to create a cgroup in " + root + ": run as root, where it is not read-only";
    }

    /** {@return a new group, without a limit, that this process has moved to} */
    static Cgroup join() throws IOException {
        return join(MOUNTS, Files.readAllLines(OWN));
    }

    /**
     * {@return a new group, without a limit, that this process has moved to}
     *
     * @param mounts the folder in which the hierarchies are mounted
     * @param own the lines of /proc/self/cgroup, for example {@code 0::/user.slice} or {@code 1:cpu,cpuacct:/}
     */
    static Cgroup join(Path mounts, List<String> own) throws IOException {
        Version version = Version.of(mounts);
        Path root = version.hierarchy(mounts);
        String path = own.stream().map(line -> line.split(":", 3)).filter(parts -> version.isOf(parts[1]))
                .map(parts -> parts[2]).findFirst()
                .orElseThrow(() -> new IOException(OWN + " has no line of the hierarchy in " + root + ": " + own));
        Path named = root.resolve(path.substring(1));
        // in a container, the group of the container can be the root, but the path can be that of the host
        Path before = Files.isDirectory(named) ? named : root;
        Path group = Files.createDirectory(root.resolve("jverbs-bench-" + ProcessHandle.current().pid()));
        Cgroup joined = new Cgroup(version, before, group);
        boolean isIn = false;
        try {
            joined.moveTo(group);
            isIn = true;
        } finally {
            if (!isIn) {
                Files.delete(group);
            }
        }
        return joined;
    }

    private void moveTo(Path destination) throws IOException {
        Files.writeString(destination.resolve(PROCESSES), Long.toString(ProcessHandle.current().pid()));
    }

    /** Limits the processes of the group, together, to half a processor. */
    void limit() throws IOException {
        version.limit(group);
    }

    /** Removes the limit. */
    void removeLimit() throws IOException {
        version.removeLimit(group);
    }

    /** Moves this process back and deletes the group, which must have no other process. */
    @Override
    public void close() throws IOException {
        moveTo(before);
        Files.delete(group);
    }
}
