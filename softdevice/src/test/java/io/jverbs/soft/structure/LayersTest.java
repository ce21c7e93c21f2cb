package io.jverbs.soft.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The package structure of the software device, which {@link #LAYERS} defines. A package may depend on other packages
 * of its own layer, without cycles, and on packages of the layers after it. An import that only Javadoc uses is a
 * dependency, too.
 */
final class LayersTest {
    private static final String ROOT = "io.jverbs.soft";

    /** The packages below {@link #ROOT} from the top layer to the bottom layer; the empty name is the root itself. */
    private static final List<Set<String>> LAYERS = List.of(Set.of(""), Set.of("device"),
            Set.of("simulation", "capture", "fabric.udp"), Set.of("fabric"),
            Set.of("transport.rc", "transport.uc", "transport.ud"), Set.of("transport.local"),
            Set.of("transport.connection"), Set.of("transport"), Set.of("congestion"), Set.of("protocol"),
            Set.of("memory"), Set.of("queue"), Set.of("wire", "linux", "journal"));

    /** A package below {@link #ROOT} that a source file imports from; static imports included. */
    private static final Pattern IMPORT = Pattern.compile(
            "^import (?:static )?" + Pattern.quote(ROOT) + "((?:\\.[a-z0-9]+)*)\\.[A-Z].*;$", Pattern.MULTILINE);
    private static final Path SOURCES = Path.of("src/main/java", ROOT.split("\\."));

    private final JavaClasses all = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeArchives()).importPackages(ROOT);

    private static String layerName(JavaClass type) {
        return layerName(type.getPackageName());
    }

    private static String layerName(String name) {
        return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
    }

    private static int layer(String name) {
        for (int i = 0; i < LAYERS.size(); i++) {
            if (LAYERS.get(i).contains(name)) {
                return i;
            }
        }
        throw new AssertionError("package " + ROOT + "." + name + " is in no layer: add it to LAYERS");
    }

    @Test
    void everyPackageIsInALayerAndEveryLayerExists() {
        Set<String> found = all.stream().map(LayersTest::layerName).collect(Collectors.toCollection(TreeSet::new));
        Set<String> stated = LAYERS.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(stated, found);
    }

    @Test
    void aPackageDependsOnlyOnItsOwnLayerAndOnLowerOnes() {
        Set<String> upward = new TreeSet<>();
        for (JavaClass type : all) {
            int own = layer(layerName(type));
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(target -> target.getPackageName().startsWith(ROOT))
                    .filter(target -> layer(layerName(target)) < own)
                    .forEach(target -> upward.add(type.getName() + " -> " + target.getName()));
        }
        assertEquals(Set.of(), upward);
    }

    @Test
    void aSourceFileImportsOnlyFromItsOwnLayerAndFromLowerOnes() throws IOException {
        Set<String> upward = new TreeSet<>();
        int imports = 0;
        for (Path file : sources()) {
            String own = SOURCES.relativize(file.getParent()).toString().replace(File.separatorChar, '.');
            Matcher matcher = IMPORT.matcher(Files.readString(file));
            for (; matcher.find(); imports++) {
                if (layer(layerName(ROOT + matcher.group(1))) < layer(own)) {
                    upward.add(file + ": " + matcher.group());
                }
            }
        }
        assertEquals(Set.of(), upward);
        assertTrue(imports > 100, imports + " imports were found");
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    @Test
    void packagesHaveNoCyclicDependencies() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(all);
    }

    @Test
    void onlyTheProviderIsPublishedToOtherModules() {
        classes().that().resideInAPackage(ROOT).should().haveSimpleName("SoftProvider").orShould()
                .haveSimpleName("package-info").check(all);
    }
}
