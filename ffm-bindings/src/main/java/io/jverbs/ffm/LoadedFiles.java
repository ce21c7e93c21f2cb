package io.jverbs.ffm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The files that Linux has mapped into this process. */
final class LoadedFiles {

    private static final Path MAPS = Path.of("/proc/self/maps");

    private LoadedFiles() {}

    /**
     * {@return the mapped file whose name begins with that of the library}
     *
     * @param library a name or path
     */
    static Optional<String> find(String library) {
        var prefix = "/" + library.substring(library.lastIndexOf('/') + 1);
        try (var lines = Files.lines(MAPS)) {
            return lines.filter(line -> line.indexOf('/') >= 0).map(line -> line.substring(line.indexOf('/')))
                    .filter(file -> file.startsWith(prefix, file.lastIndexOf('/'))).findFirst();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
