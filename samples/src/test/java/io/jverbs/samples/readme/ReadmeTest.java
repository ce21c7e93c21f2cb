package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.samples.Run;
import io.jverbs.samples.Samples;
import io.jverbs.samples.SamplesProcess;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the README tells people to type works. */
class ReadmeTest {
    private static final String LAUNCHER = "samples/run";

    /** The commands that the README shows in blocks of shell. */
    static Stream<String> commands() {
        return Readme.blocks("sh").stream().flatMap(String::lines)
                .map(line -> line.replaceFirst("(^|\\s+)#.*", "").strip()).filter(line -> !line.isEmpty());
    }

    /** The commands of CI, without what is of no account: batch mode, an empty build folder, redirections. */
    private static Set<String> commandsOfCi() {
        return Readme.read(".ci/run").lines()
                .map(line -> line.strip().replaceFirst("\\s*([<>|]|2>).*", "")
                        .replaceAll(" (-B|-q|clean|-Djverbs.abi.required=true)(?= |$)", ""))
                .collect(Collectors.toSet());
    }

    /** Samples that CI does not start by the launcher are run here, with the same arguments and without it. */
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
        Run run = SamplesProcess.run(SamplesProcess.classPath(), properties, Samples.class.getName(), arguments);

        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertFalse(run.out().isEmpty());
    }

    @Test
    void theReadmeHasTheTwoCommandsThatMatter() {
        assertTrue(commands().toList().containsAll(List.of("samples/run tour", "mvn verify")));
        assertTrue(commandsOfCi().containsAll(List.of("samples/run tour", "mvn verify")));
    }

    /** A heading's anchor is its words in lower case, with hyphens between and nothing else. */
    @Test
    void everyLinkWithinItLeadsToAHeading() {
        Set<String> anchors = Pattern.compile("(?m)^#+ (.*)$").matcher(Readme.text()).results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ',
                        '-'))
                .collect(Collectors.toSet());
        List<String> links = Pattern.compile("]\\(#([^)]*)\\)").matcher(Readme.text()).results()
                .map(link -> link.group(1)).toList();

        assertFalse(links.isEmpty());
        assertEquals(List.of(), links.stream().filter(link -> !anchors.contains(link)).toList());
    }

    @Test
    void theMavenCoordinatesAreThoseOfTheBuild() {
        String version = Readme.read("pom.xml").replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
        String dependencies = String.join("", Readme.blocks("xml"));
        for (String artifact : List.of("jverbs", "softdevice")) {
            assertTrue(
                    dependencies.replaceAll("\\s+", "").contains("<groupId>io.jverbs</groupId><artifactId>" + artifact
                            + "</artifactId><version>" + version + "</version>"),
                    artifact + " " + version);
        }
    }
}
