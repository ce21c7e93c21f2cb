package io.jverbs.ibverbs;

import io.jverbs.ffm.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What this machine offers, told from its files alone: no native call is made to find out that there is nothing.
 *
 * @param sys where sysfs is
 * @param dev where device files are
 * @param libraryFolders where the dynamic linker finds libraries
 * @param libibverbs asks for the library; the first restricted call
 */
record Machine(Path sys, Path dev, List<Path> libraryFolders, Supplier<NativeLibrary> libibverbs) {
    private static final String LIBRARY = "libibverbs.so.1";
    private static final String ACTIVE = "4:";

    /** The one that this program runs on. */
    static Machine here() {
        return new Machine(Path.of("/sys"), Path.of("/dev"), LibraryFolders.here(), NativeLibrary::ibverbs);
    }

    /** Whether the kernel's InfiniBand core, which RoCE needs too, is there. */
    boolean hasInfiniBand() {
        return Files.isDirectory(sys.resolve("class/infiniband"));
    }

    /** The names of the kernel's RDMA devices, in order. */
    List<String> deviceNames() {
        return hasInfiniBand() ? names(sys.resolve("class/infiniband")) : List.of();
    }

    /** Whether the library is installed, by its file. */
    boolean hasLibrary() {
        String name = System.getProperty(NativeLibrary.IBVERBS_PROPERTY, LIBRARY);
        return name.indexOf('/') >= 0
                ? Files.exists(Path.of(name))
                : libraryFolders.stream().anyMatch(folder -> Files.exists(folder.resolve(name)));
    }

    /** Where sysfs tells of a device. */
    Path deviceFolder(String device) {
        return sys.resolve("class/infiniband").resolve(device);
    }

    /** The file by which programs reach a device, empty if ib_uverbs made none. */
    Optional<Path> deviceFile(String device) {
        Path classes = sys.resolve("class/infiniband_verbs");
        if (!Files.isDirectory(classes)) {
            return Optional.empty();
        }
        return names(classes).stream()
                .filter(uverbs -> read(classes.resolve(uverbs).resolve("ibdev")).equals(device)).findFirst()
                .map(uverbs -> dev.resolve("infiniband").resolve(uverbs));
    }

    /** Whether a port of the device can carry traffic. */
    boolean hasActivePort(String device) {
        Path ports = deviceFolder(device).resolve("ports");
        return Files.isDirectory(ports)
                && names(ports).stream()
                        .anyMatch(port -> read(ports.resolve(port).resolve("state")).startsWith(ACTIVE));
    }

    /** The names of a folder's entries, in order. */
    static List<String> names(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            // It went away, or may not be read: as good as empty.
            return List.of();
        }
    }

    /** What a file has, without blanks around it; nothing if it cannot be read. */
    static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
