package io.jverbs.soft.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.fault.FaultInjection;
import io.jverbs.strict.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the documentation of fault injection and strict mode for completeness. */
final class LayerPagesTest {

    private static String page(String name) throws IOException {
        return Files.readString(Path.of("../docs", name));
    }

    private static Set<String> matches(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.MULTILINE).matcher(text).results().map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyKindOfViolationIsDocumented() throws IOException {
        assertEquals(Stream.of(Violation.Kind.values()).map(Enum::name).collect(Collectors.toCollection(TreeSet::new)),
                matches("^\\*\\*([A-Z_]+)\\.\\*\\*", page("strict-mode.md")));
    }

    @Test
    void theDocumentedFaultsAndConditionsEqualThoseOfTheGrammar() throws IOException {
        String grammar = FaultInjection.GRAMMAR.substring(0, FaultInjection.GRAMMAR.indexOf("for instance"));
        Set<String> known = matches("(?:fault: |condition: |, )([a-z]+)(?==|,|;| )",
                grammar.substring(grammar.indexOf("fault: ")));
        Set<String> described = matches("^\\| `([a-z]+)", page("fault-injection.md"));
        described.add("seed");
        assertEquals(known, described);
    }

    @Test
    void theRulesOfTheExampleAreValid() throws IOException {
        String rules = Pattern.compile("-Djverbs.fault='([^']+)'").matcher(page("fault-injection.md")).results()
                .map(MatchResult::group).findFirst().orElseThrow().replaceAll("^[^']*'|'$", "");
        assertTrue(rules.contains(";"));
        assertEquals(2, FaultInjection.parse(rules).hits().size());
    }
}
