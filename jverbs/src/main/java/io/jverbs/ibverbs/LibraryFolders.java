package io.jverbs.ibverbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directories in which the dynamic linker searches libraries, in the order of ld.so(8): LD_LIBRARY_PATH, the
 * directories that ld.so.conf lists, the system directories. Has no state.
 */
final class LibraryFolders {
    private static final Path CONFIGURATION = Path.of("/etc/ld.so.conf");
    private static final Path CONFIGURATION_DIRECTORY = Path.of("/etc/ld.so.conf.d");
    private static final Pattern LISTED = Pattern.compile("^(/\\S+)");

    private LibraryFolders() {}

    static List<Path> here() {
        Set<Path> folders = new LinkedHashSet<>();
        String libraryPath = System.getenv("LD_LIBRARY_PATH");
        if (libraryPath != null) {
            Stream.of(libraryPath.split(":")).filter(folder -> !folder.isEmpty()).map(Path::of).forEach(folders::add);
        }
        addListed(CONFIGURATION, folders);
        try (Stream<Path> more = Files.list(CONFIGURATION_DIRECTORY)) {
            more.sorted().forEach(file -> addListed(file, folders));
        } catch (IOException e) {
            // Some distributions do not have this directory and list everything in ld.so.conf.
        }
        List.of("/lib64", "/usr/lib64", "/lib", "/usr/lib").forEach(folder -> folders.add(Path.of(folder)));
        return new ArrayList<>(folders);
    }

    private static void addListed(Path configuration, Set<Path> folders) {
        try (Stream<String> lines = Files.lines(configuration)) {
            lines.map(LISTED::matcher).filter(Matcher::find)
                    .forEach(match -> folders.add(Path.of(match.group(1))));
        } catch (IOException e) {
            // The file does not exist or is not readable: it lists nothing.
        }
    }
}
