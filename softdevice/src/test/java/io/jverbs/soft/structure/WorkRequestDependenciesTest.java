package io.jverbs.soft.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkRequest;
import io.jverbs.spi.DataPath;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The data path of a device depends on the work requests, and the work requests do not depend on it. */
final class WorkRequestDependenciesTest {
    private static final Set<String> REQUESTS = Set.of(WorkRequest.class.getName(), SendWorkRequest.class.getName(),
            ReceiveWorkRequest.class.getName());
    private static final String DATA_PATH = DataPath.class.getName();

    private final JavaClasses classes = new ClassFileImporter().importClasses(WorkRequest.class, SendWorkRequest.class,
            ReceiveWorkRequest.class, DataPath.class);

    /** Returns the names of the classes that a class uses. */
    private Set<String> dependencies(String name) {
        return classes.get(name).getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType()).map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theDataPathDependsOnBothWorkRequests() {
        Set<String> used = new HashSet<>(dependencies(DATA_PATH));
        used.retainAll(REQUESTS);
        assertEquals(Set.of(SendWorkRequest.class.getName(), ReceiveWorkRequest.class.getName()), used);
    }

    @Test
    void noWorkRequestDependsOnTheDataPath() {
        for (String request : REQUESTS) {
            Set<String> used = dependencies(request);
            used.retainAll(Set.of(DATA_PATH));
            assertEquals(Set.of(), used, request);
        }
    }

    @Test
    void theCommonBaseOfTheWorkRequestsDependsOnNeitherOfThem() {
        Set<String> used = dependencies(WorkRequest.class.getName());
        used.retainAll(REQUESTS);
        used.remove(WorkRequest.class.getName());
        assertEquals(Set.of(), used);
    }
}
