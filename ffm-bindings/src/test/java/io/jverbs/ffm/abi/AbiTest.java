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

/** Everything generated is as the C compiler says, on x86-64 and, through {@link Abi}, on aarch64. */
class AbiTest {

    /** The C library's own, which {@link Abi} replaces as a whole. */
    private static final Set<String> MUTEX = Set.of("pthread_mutex_t", "struct __pthread_mutex_s");

    @TempDir
    private Path folder;

    @Test
    void layoutsAreThoseOfTheCompiler() throws IOException {
        assertSameInC(Compiler.x86(), allTypes(layout -> layout));
    }

    @Test
    void constantsAreThoseOfTheCompiler() throws IOException {
        assertSameInC(Compiler.x86(), GeneratedFacts.constants());
    }

    @Test
    void layoutsForAarch64AreThoseOfItsCompiler() throws IOException {
        var facts = new ArrayList<Fact>();
        for (var type : GeneratedFacts.types()) {
            if (!MUTEX.contains(type.cName())) {
                facts.addAll(GeneratedFacts.facts(type, Abi.AARCH64::layout));
            }
        }
        facts.add(Fact.of("sizeof(pthread_mutex_t)", 48L));
        assertSameInC(Compiler.aarch64(), facts);
    }

    @Test
    void constantsAreThoseOfTheCompilerForAarch64() throws IOException {
        assertSameInC(Compiler.aarch64(), GeneratedFacts.constants());
    }

    /** If the generated layouts did for aarch64 too, translating them would be for nothing. */
    @Test
    void structsWithAMutexDifferOnAarch64AndNoOthersDo() throws IOException {
        var facts = new ArrayList<Fact>();
        var owners = new ArrayList<String>();
        for (var type : GeneratedFacts.types()) {
            for (var fact : GeneratedFacts.facts(type, layout -> layout)) {
                // What is inside a mutex has other names there.
                if (!fact.expression().contains("__data.") && !type.cName().equals("struct __pthread_mutex_s")) {
                    facts.add(fact);
                    owners.add(type.cName());
                }
            }
        }
        var answers = Compiler.aarch64().ask(folder, facts);
        var different = new TreeSet<String>();
        for (int i = 0; i < answers.length; i++) {
            if (!facts.get(i).agrees(answers[i])) {
                different.add(owners.get(i));
            }
        }
        assertEquals(new TreeSet<>(Set.of("pthread_mutex_t", "struct ibv_context", "struct ibv_cq", "struct ibv_cq_ex",
                "struct ibv_qp", "struct ibv_qp_ex", "struct ibv_srq", "struct verbs_context")), different);
    }

    @Test
    void oneWrongValueAmongAllIsFound() throws IOException {
        var facts = new ArrayList<>(allTypes(layout -> layout));
        facts.addAll(GeneratedFacts.constants());
        var answers = Compiler.x86().ask(folder, facts);
        for (var expression : List.of("sizeof(struct ibv_wc)", "offsetof(struct ibv_send_wr, wr.atomic.rkey)",
                "sizeof(((struct ibv_qp_attr *) 0)->ah_attr)", "IBV_WC_WR_FLUSH_ERR", "IBV_DEVICE_RAW_SCATTER_FCS")) {
            var falsified = new ArrayList<>(facts);
            int index = indexOf(facts, expression);
            falsified.set(index, Fact.of(expression, facts.get(index).value() + 1));
            assertEquals(
                    List.of(expression + " is " + answers[index] + " in C, and was generated as "
                            + (answers[index] + 1)),
                    Comparison.differences(falsified, answers));
        }
    }

    /** An {@code int} cannot stand for a constant of more than 32 bits. */
    @Test
    void aConstantCutTo32BitsIsFound() throws IOException {
        var cut = Fact.of("IBV_DEVICE_RAW_SCATTER_FCS", (int) (1L << 34));
        var answers = Compiler.x86().ask(folder, List.of(cut));
        assertEquals(1, Comparison.differences(List.of(cut), answers).size());
    }

    @Test
    void everyClassSaysOfItsFieldsWhatItsLayoutSays() throws IOException {
        var complaints = new ArrayList<String>();
        for (var type : GeneratedFacts.types()) {
            complaints.addAll(GeneratedFacts.accessorsThatContradictTheLayout(type));
        }
        assertEquals(List.of(), complaints);
    }

    @Test
    void everyConstantOfTheIncludeListWasGenerated() throws IOException {
        var listed = GeneratedFacts.includes("types.includes").stream()
                .filter(line -> line.startsWith("--include-constant ")).map(line -> line.split(" ")[1]).toList();
        assertEquals(new TreeSet<>(listed),
                new TreeSet<>(GeneratedFacts.constants().stream().map(Fact::expression).toList()));
        assertNotEquals(0, listed.size());
    }

    private void assertSameInC(Compiler compiler, List<Fact> facts) throws IOException {
        assertTrue(facts.size() > 100, () -> facts.size() + " facts only");
        assertEquals(List.of(), Comparison.differences(facts, compiler.ask(folder, facts)));
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
