package io.jverbs.soft.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The package structure of the software device, which {@link #LAYERS} defines. A package may depend on other packages
 * of its own layer, without cycles, and on packages of the layers after it. An import that only Javadoc uses is a
 * dependency, too.
 */
@Execution(ExecutionMode.CONCURRENT)
final class LayersTest {
    private static final String ROOT = "io.jverbs.soft";
    private static final String EXTENSION = "io.jverbs.testing";

    /** The packages below {@link #ROOT} from the top layer to the bottom layer; the empty name is the root itself. */
    private static final List<Set<String>> LAYERS = List.of(Set.of(""), Set.of("device"),
            Set.of("management"), Set.of("management.communication"), Set.of("simulation", "capture", "fabric.udp"),
            Set.of("fabric.udp.socket"), Set.of("fabric"),
            Set.of("transport.rc", "transport.uc", "transport.ud"), Set.of("transport.local"),
            Set.of("transport.connection"), Set.of("transport"), Set.of("congestion"), Set.of("protocol"),
            Set.of("memory"), Set.of("queue"), Set.of("wire", "linux", "journal", "management.message"));

    private final PackageLayers layers = new PackageLayers(Path.of(""), ROOT, LAYERS);

    private final JavaClasses all = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeArchives()).importPackages(ROOT);

    private static String layerName(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
    }

    @Test
    void everyPackageIsInALayerAndEveryLayerExists() {
        Set<String> found = all.stream().map(LayersTest::layerName).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(layers.stated(), found);
        assertEquals(layers.stated(), layers.packages());
    }

    @Test
    void aPackageDependsOnlyOnItsOwnLayerAndOnLowerOnes() {
        Set<String> upward = new TreeSet<>();
        for (JavaClass type : all) {
            int own = layers.layer(layerName(type));
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(target -> target.getPackageName().startsWith(ROOT))
                    .filter(target -> layers.layer(layerName(target)) < own)
                    .forEach(target -> upward.add(type.getName() + " -> " + target.getName()));
        }
        assertEquals(Set.of(), upward);
    }

    @Test
    void aSourceFileImportsOnlyFromItsOwnLayerAndFromLowerOnes() {
        assertEquals(Set.of(), layers.upwardImports());
        assertEquals(Set.of(), layers.circles());
        assertTrue(layers.importCount() > 100, () -> layers.importCount() + " imports were found");
    }

    @Test
    void packagesHaveNoCyclicDependencies() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(all);
    }

    /** Tests use the extension on every device, so it depends on the API alone. */
    @Test
    void theJunitExtensionAndTheDeviceDoNotDependOnEachOther() {
        JavaClasses extension = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(new ImportOption.DoNotIncludeArchives()).importPackages(EXTENSION);
        noClasses().should().dependOnClassesThat().resideInAPackage(ROOT + "..").check(extension);
        noClasses().should().dependOnClassesThat().resideInAPackage(EXTENSION).check(all);
        assertTrue(extension.size() > 1, extension::toString);
    }

    @Test
    void onlyTheProviderIsPublishedToOtherModules() {
        classes().that().resideInAPackage(ROOT).should().haveSimpleName("SoftProvider").orShould()
                .haveSimpleName("package-info").check(all);
    }
}
