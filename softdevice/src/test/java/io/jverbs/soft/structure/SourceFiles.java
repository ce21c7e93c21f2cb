package io.jverbs.soft.structure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of all modules and of the folders beside them that people write, tests and text files included. */
final class SourceFiles {
    private static final List<String> MODULES = List.of("ffm-bindings", "jverbs", "softdevice", "samples", "bench");
    private static final Set<String> FOLDERS = Set.of(".ci", ".formatter", ".launch", ".mvn", ".release", "docs");
    private static final Set<String> GENERATED = Set.of("src/generated", "docs/api", "/target/");
    /** Text by its name: what has another ending, or is none of these, is not read. */
    private static final Pattern TEXT = Pattern.compile(
            "[^.]+|.*\\.(bash|c|cmd|config|h|includes|java|md|properties|sh|svg|txt|xml)");

    private static final Path ROOT = root();

    private SourceFiles() {}

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!MODULES.stream().map(folder::resolve).allMatch(Files::isDirectory)) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("no folder above " + Path.of("").toAbsolutePath() + " has the modules");
            }
        }
        return folder;
    }

    /** Returns the files, relative to the root of the checkout. */
    static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>(filesIn(ROOT, 1));
        for (String module : MODULES) {
            files.addAll(filesIn(ROOT.resolve(module), 1));
            files.addAll(filesIn(ROOT.resolve(module, "src"), Integer.MAX_VALUE));
        }
        for (String folder : FOLDERS) {
            files.addAll(filesIn(ROOT.resolve(folder), Integer.MAX_VALUE));
        }
        return files;
    }

    private static List<Path> filesIn(Path folder, int depth) throws IOException {
        try (Stream<Path> all = Files.walk(folder, depth)) {
            return all.filter(Files::isRegularFile).map(ROOT::relativize)
                    .filter(file -> GENERATED.stream().noneMatch(file.toString().replace('\\', '/')::contains))
                    .sorted().toList();
        }
    }

    /** Returns the path of a file as text with slashes, on every system. */
    static String name(Path file) {
        return file.toString().replace('\\', '/');
    }

    static boolean isJava(Path file) {
        return file.toString().endsWith(".java");
    }

    static boolean isText(Path file) {
        return TEXT.matcher(file.getFileName().toString()).matches();
    }

    /** Returns the lines of a file of {@link #files}. */
    static List<String> lines(Path file) throws IOException {
        return Files.readString(ROOT.resolve(file), StandardCharsets.UTF_8).lines().toList();
    }
}
