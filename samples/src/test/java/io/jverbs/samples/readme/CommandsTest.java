package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command in a block of the language {@code sh} of a document is run, by CI or here. */
@InOtherProcesses
class CommandsTest {
    private static final String LAUNCHER = "samples/run";

    /** The commands of all documents, without comments. */
    static Stream<String> commands() {
        return Documents.names().stream().flatMap(document -> Documents.blocks(document, "sh").stream())
                .flatMap(String::lines).map(line -> line.replaceFirst("(^|\\s+)#.*", "").strip())
                .filter(line -> !line.isEmpty()).distinct();
    }

    /** The commands of CI, without variables and options that change nothing, redirections, and quotes of a list. */
    private static Set<String> commandsOfCi() {
        return Documents.read(".ci/run").lines().flatMap(line -> Stream.of(line.split("&&")))
                .map(command -> command.strip().replaceFirst("^'(env \\w+=\\S+ )?(.*)'$", "$2")
                        .replaceFirst("\\s*([<>|]|2>).*", "")
                        .replaceAll(" (-B|-q|clean|-Pfull|-Djverbs.abi.required=true)(?= |$)", ""))
                .collect(Collectors.toSet());
    }

    /** Programs that CI does not start with the launcher are run here, with the same arguments. */
    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandIsRunByCiOrHere(String command) throws Exception {
        if (commandsOfCi().contains(command)) {
            return;
        }
        List<String> words = Arrays.asList(command.split(" +"));
        if (!words.getFirst().equals(LAUNCHER)) {
            fail("\"" + command + "\" is run neither by .ci/run nor by a test");
        }
        List<String> properties = words.stream().filter(word -> word.startsWith("-D")).toList();
        List<String> arguments = words.stream().skip(1).filter(word -> !word.startsWith("-D")).toList();
        Run run = SamplesProcess.sample(properties, arguments);

        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertFalse(run.out().isEmpty());
    }

    @Test
    void ciRunsTheTwoCommandsThatTheReadmeStartsWith() {
        List<String> commands = List.of("samples/run tour", "mvn verify");
        String first = Documents.blocks(Documents.README, "sh").getFirst();
        assertEquals(commands, first.lines().map(line -> line.replaceFirst("\\s+#.*", "")).toList());
        assertEquals(Set.copyOf(commands), commandsOfCi().stream().filter(commands::contains)
                .collect(Collectors.toSet()));
    }
}
