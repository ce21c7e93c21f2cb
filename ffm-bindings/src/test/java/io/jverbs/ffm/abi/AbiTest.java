package io.jverbs.ffm.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.ffm.Abi;
import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that all generated layouts and constants equal those of the C compiler: on x86-64 directly, on aarch64 after
 * translation by {@link Abi}.
 */
class AbiTest {

    /** Types of the C library. {@link Abi} replaces them as a whole. */
    private static final Set<String> MUTEX = Set.of("pthread_mutex_t", "struct __pthread_mutex_s");

    @TempDir
    private Path folder;

    @Test
    void layoutsMatchTheCompiler() throws IOException {
        assertEqualInC(Compiler.x86(), allTypes(layout -> layout));
    }

    @Test
    void constantsMatchTheCompiler() throws IOException {
        assertEqualInC(Compiler.x86(), GeneratedFacts.constants());
    }

    @Test
    void layoutsForAarch64MatchItsCompiler() throws IOException {
        var facts = new ArrayList<Fact>();
        for (var type : GeneratedFacts.types()) {
            if (!MUTEX.contains(type.cName())) {
                facts.addAll(GeneratedFacts.facts(type, Abi.AARCH64::layout));
            }
        }
        facts.add(Fact.of("sizeof(pthread_mutex_t)", 48L));
        assertEqualInC(Compiler.aarch64(), facts);
    }

    @Test
    void constantsMatchTheCompilerForAarch64() throws IOException {
        assertEqualInC(Compiler.aarch64(), GeneratedFacts.constants());
    }

    /** Shows that the translation is needed: some generated layouts are wrong on aarch64. */
    @Test
    void onlyStructsWithAMutexDifferOnAarch64() throws IOException {
        var facts = new ArrayList<Fact>();
        var owners = new ArrayList<String>();
        for (var type : GeneratedFacts.types()) {
            for (var fact : GeneratedFacts.facts(type, layout -> layout)) {
                // The fields inside a mutex have other names on aarch64.
                if (!fact.expression().contains("__data.") && !type.cName().equals("struct __pthread_mutex_s")) {
                    facts.add(fact);
                    owners.add(type.cName());
                }
            }
        }
        var values = Compiler.aarch64().evaluate(folder, facts);
        var different = new TreeSet<String>();
        for (int i = 0; i < values.length; i++) {
            if (!facts.get(i).agrees(values[i])) {
                different.add(owners.get(i));
            }
        }
        assertEquals(new TreeSet<>(Set.of("pthread_mutex_t", "struct ibv_context", "struct ibv_cq", "struct ibv_cq_ex",
                "struct ibv_qp", "struct ibv_qp_ex", "struct ibv_srq", "struct verbs_context")), different);
    }

    @Test
    void oneWrongValueIsDetected() throws IOException {
        var facts = new ArrayList<>(allTypes(layout -> layout));
        facts.addAll(GeneratedFacts.constants());
        var values = Compiler.x86().evaluate(folder, facts);
        for (var expression : List.of("sizeof(struct ibv_wc)", "offsetof(struct ibv_send_wr, wr.atomic.rkey)",
                "sizeof(((struct ibv_qp_attr *) 0)->ah_attr)", "IBV_WC_WR_FLUSH_ERR", "IBV_DEVICE_RAW_SCATTER_FCS")) {
            var falsified = new ArrayList<>(facts);
            int index = indexOf(facts, expression);
            falsified.set(index, Fact.of(expression, facts.get(index).value() + 1));
            assertEquals(
                    List.of(expression + " is " + values[index] + " in C, and was generated as "
                            + (values[index] + 1)),
                    Comparison.differences(falsified, values));
        }
    }

    /** An {@code int} cannot hold a constant of more than 32 bits. */
    @Test
    void aConstantTruncatedTo32BitsIsDetected() throws IOException {
        var cut = Fact.of("IBV_DEVICE_RAW_SCATTER_FCS", (int) (1L << 34));
        var values = Compiler.x86().evaluate(folder, List.of(cut));
        assertEquals(1, Comparison.differences(List.of(cut), values).size());
    }

    @Test
    void offsetAccessorsMatchTheLayout() throws IOException {
        var contradictions = new ArrayList<String>();
        for (var type : GeneratedFacts.types()) {
            contradictions.addAll(GeneratedFacts.accessorsThatContradictTheLayout(type));
        }
        assertEquals(List.of(), contradictions);
    }

    @Test
    void everyConstantOfTheIncludeListWasGenerated() throws IOException {
        var listed = GeneratedFacts.includes("types.includes").stream()
                .filter(line -> line.startsWith("--include-constant ")).map(line -> line.split(" ")[1]).toList();
        assertEquals(new TreeSet<>(listed),
                new TreeSet<>(GeneratedFacts.constants().stream().map(Fact::expression).toList()));
        assertNotEquals(0, listed.size());
    }

    private void assertEqualInC(Compiler compiler, List<Fact> facts) throws IOException {
        assertTrue(facts.size() > 100, () -> facts.size() + " facts only");
        assertEquals(List.of(), Comparison.differences(facts, compiler.evaluate(folder, facts)));
    }

    private static List<Fact> allTypes(UnaryOperator<GroupLayout> translation) throws IOException {
        var facts = new ArrayList<Fact>();
        for (var type : GeneratedFacts.types()) {
            facts.addAll(GeneratedFacts.facts(type, translation));
        }
        return facts;
    }

    private static int indexOf(List<Fact> facts, String expression) {
        for (int i = 0; i < facts.size(); i++) {
            if (facts.get(i).expression().equals(expression)) {
                return i;
            }
        }
        throw new AssertionError("no fact is about " + expression);
    }
}
