package io.jverbs.soft.structure;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The layers of the packages below a root package, and the imports of their source files. An import that only Javadoc
 * uses is a dependency, too.
 */
final class PackageLayers {
    private static final String SUFFIX = ".java";

    private final String root;
    private final List<Set<String>> layers;
    private final List<Import> imports = new ArrayList<>();
    private final Set<String> packages = new TreeSet<>();

    /** An import of a file: the names of its package and of the other one below the root, and the line. */
    private record Import(String from, String to, String file, String line) {
        @Override
        public String toString() {
            return file + ": " + line;
        }
    }

    /**
     * Reads the source files.
     *
     * @param module the folder of the module
     * @param root the root package
     * @param layers the names of packages below the root from the top layer to the bottom layer; the empty name is the
     *        root itself
     */
    PackageLayers(Path module, String root, List<Set<String>> layers) {
        this.root = root;
        this.layers = layers;
        for (String folder : List.of("src/main/java", "src/generated/java")) {
            Path sources = module.resolve(Path.of(folder, root.split("\\.")));
            if (Files.isDirectory(sources)) {
                read(sources);
            }
        }
        // what is not in this module is in another one
        imports.removeIf(each -> each.from.equals(each.to) || !packages.contains(each.to));
    }

    private void read(Path sources) {
        // static imports included
        Pattern pattern = Pattern.compile(
                "^import (?:static )?" + Pattern.quote(root) + "((?:\\.[a-z0-9]+)*)\\.[A-Z].*;$", Pattern.MULTILINE);
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX)).toList()) {
                String own = sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.');
                packages.add(own);
                Matcher matcher = pattern.matcher(Files.readString(file));
                while (matcher.find()) {
                    String other = matcher.group(1).isEmpty() ? "" : matcher.group(1).substring(1);
                    imports.add(new Import(own, other, file.getFileName().toString(), matcher.group()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of the packages below the root that have source files. */
    Set<String> packages() {
        return packages;
    }

    /** Returns the names of all layers' packages. */
    Set<String> stated() {
        return layers.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the number of imports between packages of the module. */
    int importCount() {
        return imports.size();
    }

    /** Returns the number of a package's layer, 0 for the top layer. */
    int layer(String name) {
        for (int i = 0; i < layers.size(); i++) {
            if (layers.get(i).contains(name)) {
                return i;
            }
        }
        throw new AssertionError("package " + fullName(name) + " is in no layer: add it to the layers");
    }

    private String fullName(String name) {
        return name.isEmpty() ? root : root + "." + name;
    }

    /** Returns the imports from layers above that of the importing file. */
    Set<String> upwardImports() {
        return imports.stream().filter(each -> layer(each.to) < layer(each.from)).map(Import::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the pairs of packages each of which depends on the other, directly or not, as "a <-> b". */
    Set<String> circles() {
        Set<String> circles = new TreeSet<>();
        for (String one : packages) {
            for (String other : reachable(one)) {
                if (one.compareTo(other) < 0 && reachable(other).contains(one)) {
                    circles.add(fullName(one) + " <-> " + fullName(other));
                }
            }
        }
        return circles;
    }

    /** Returns the packages that a package depends on, directly or not. */
    private Set<String> reachable(String from) {
        Set<String> found = new TreeSet<>();
        List<String> next = new ArrayList<>(List.of(from));
        while (!next.isEmpty()) {
            String present = next.removeLast();
            imports.stream().filter(each -> each.from.equals(present) && found.add(each.to))
                    .forEach(each -> next.add(each.to));
        }
        return found;
    }

    @Override
    public String toString() {
        return root;
    }
}
