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

/** Where the dynamic linker looks, as ld.so(8) says: LD_LIBRARY_PATH, the folders of ld.so.conf, the system's. */
final class LibraryFolders {
    private static final Path CONFIGURATION = Path.of("/etc/ld.so.conf");
    private static final Path MORE_CONFIGURATION = Path.of("/etc/ld.so.conf.d");
    private static final Pattern LISTED = Pattern.compile("^(/\\S+)");

    private LibraryFolders() {}

    static List<Path> here() {
        Set<Path> folders = new LinkedHashSet<>();
        String given = System.getenv("LD_LIBRARY_PATH");
        if (given != null) {
            Stream.of(given.split(":")).filter(folder -> !folder.isEmpty()).map(Path::of).forEach(folders::add);
        }
        addListed(CONFIGURATION, folders);
        try (Stream<Path> more = Files.list(MORE_CONFIGURATION)) {
            more.sorted().forEach(file -> addListed(file, folders));
        } catch (IOException e) {
            // Distributions without that folder list everything in one file.
        }
        List.of("/lib64", "/usr/lib64", "/lib", "/usr/lib").forEach(folder -> folders.add(Path.of(folder)));
        return new ArrayList<>(folders);
    }

    private static void addListed(Path configuration, Set<Path> folders) {
        try (Stream<String> lines = Files.lines(configuration)) {
            lines.map(LISTED::matcher).filter(Matcher::find)
                    .forEach(match -> folders.add(Path.of(match.group(1))));
        } catch (IOException e) {
            // Not there: nothing is listed.
        }
    }
}
