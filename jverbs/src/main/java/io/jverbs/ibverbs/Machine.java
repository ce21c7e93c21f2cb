package io.jverbs.ibverbs;

import io.jverbs.ffm.NativeLibrary;
import io.jverbs.spi.SystemProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The RDMA support of a machine as its files show it. It needs no native call to find that there is no device. Any
 * thread may call any method.
 *
 * @param sys the mount point of sysfs
 * @param dev the directory of device files
 * @param libraryFolders the directories in which the dynamic linker searches libraries
 * @param libibverbs loads the library; this is the first restricted call
 */
record Machine(Path sys, Path dev, List<Path> libraryFolders, Supplier<NativeLibrary> libibverbs) {
    private static final String LIBRARY = "libibverbs.so.1";
    private static final String ACTIVE = "4:";

    /** The machine on which this program runs. */
    static Machine here() {
        return new Machine(Path.of("/sys"), Path.of("/dev"), LibraryFolders.here(), NativeLibrary::ibverbs);
    }

    /** Whether the InfiniBand core of the kernel is loaded, which RoCE needs too. */
    boolean hasInfiniBand() {
        return Files.isDirectory(sys.resolve("class/infiniband"));
    }

    /** The names of the kernel's RDMA devices, sorted. */
    List<String> deviceNames() {
        return hasInfiniBand() ? names(sys.resolve("class/infiniband")) : List.of();
    }

    /** Whether the file of libibverbs exists. */
    boolean hasLibrary() {
        String name = System.getProperty(NativeLibrary.IBVERBS_PROPERTY, LIBRARY);
        try {
            return name.indexOf('/') >= 0
                    ? Files.exists(Path.of(name))
                    : libraryFolders.stream().anyMatch(folder -> Files.exists(folder.resolve(name)));
        } catch (InvalidPathException e) {
            // no file can have this name
            return false;
        }
    }

    /** Why the file of libibverbs does not exist. */
    static String noLibrary() {
        String name = System.getProperty(NativeLibrary.IBVERBS_PROPERTY);
        return name == null
                ? "libibverbs is not installed (it comes with rdma-core)"
                : "system property " + NativeLibrary.IBVERBS_PROPERTY + "=" + name + ": there is no such file; allowed"
                        + " are the path of " + LIBRARY + " of rdma-core, and a name under which the dynamic linker"
                        + " finds it" + SystemProperties.see(SystemProperties.LIBIBVERBS);
    }

    /** The directory of a device in sysfs. */
    Path deviceFolder(String device) {
        return sys.resolve("class/infiniband").resolve(device);
    }

    /** The device file through which programs open a device, empty if ib_uverbs did not create one. */
    Optional<Path> deviceFile(String device) {
        Path classes = sys.resolve("class/infiniband_verbs");
        if (!Files.isDirectory(classes)) {
            return Optional.empty();
        }
        return names(classes).stream()
                .filter(uverbs -> read(classes.resolve(uverbs).resolve("ibdev")).equals(device)).findFirst()
                .map(uverbs -> dev.resolve("infiniband").resolve(uverbs));
    }

    /** Whether a port of the device is in state ACTIVE. */
    boolean hasActivePort(String device) {
        Path ports = deviceFolder(device).resolve("ports");
        return Files.isDirectory(ports)
                && names(ports).stream()
                        .anyMatch(port -> read(ports.resolve(port).resolve("state")).startsWith(ACTIVE));
    }

    /** The names of the entries of a directory, sorted; empty if it cannot be read. */
    static List<String> names(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            // The directory was removed, or the process may not read it.
            return List.of();
        }
    }

    /** The content of a file without leading and trailing white space; empty if it cannot be read. */
    static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
