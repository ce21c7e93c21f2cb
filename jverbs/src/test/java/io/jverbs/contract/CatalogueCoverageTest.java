package io.jverbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.fixture.Catalogue;
import io.jverbs.contract.fixture.CatalogueList;
import io.jverbs.contract.fixture.Contract;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Checks that the catalogue and the contract classes are consistent, independent of which part of the suite runs. */
class CatalogueCoverageTest {

    private final Map<String, String> titles = CatalogueList.titles();
    private final Map<String, String> uncovered = CatalogueList.uncovered();

    private static List<Method> tests() {
        List<Method> tests = new ArrayList<>();
        Predicate<Class<?>> contract = type -> AnnotationSupport.isAnnotated(type, Contract.class)
                || type.getEnclosingClass() != null;
        for (Class<?> type : ReflectionSupport.findAllClassesInPackage("io.jverbs.contract", contract, name -> true)) {
            tests.addAll(AnnotationSupport.findAnnotatedMethods(type, Testable.class,
                    HierarchyTraversalMode.TOP_DOWN));
        }
        return tests;
    }

    private static Set<String> covered() {
        Set<String> numbers = new TreeSet<>();
        for (Method test : tests()) {
            Catalogue catalogue = test.getAnnotation(Catalogue.class);
            if (catalogue != null) {
                numbers.addAll(Arrays.asList(catalogue.value()));
            }
        }
        return numbers;
    }

    @Test
    void everyCatalogueNumberIsCoveredOrExplained() {
        Set<String> missing = new TreeSet<>(titles.keySet());
        missing.removeAll(covered());
        missing.removeAll(uncovered.keySet());
        assertEquals(Set.of(), missing, "numbers that have neither a test nor a reason in uncovered.properties");
    }

    @Test
    void noNumberIsBothCoveredAndExplained() {
        Set<String> both = new TreeSet<>(uncovered.keySet());
        both.retainAll(covered());
        assertEquals(Set.of(), both, "numbers in uncovered.properties that have a test");
    }

    @Test
    void everyReasonIsForACatalogueNumberAndIsNotTooShort() {
        uncovered.forEach((number, reason) -> {
            assertTrue(titles.containsKey(number), () -> number + " is not in the catalogue");
            assertTrue(reason.length() > 10, () -> "the reason for " + number + " is too short");
        });
    }

    @Test
    void everyContractTestHasCatalogueNumbers() {
        for (Method test : tests()) {
            Catalogue catalogue = test.getAnnotation(Catalogue.class);
            assertTrue(catalogue != null && catalogue.value().length > 0, () -> test + " has no catalogue number");
            for (String number : catalogue.value()) {
                assertTrue(titles.containsKey(number), () -> test + " has the unknown catalogue number " + number);
            }
        }
    }
}
