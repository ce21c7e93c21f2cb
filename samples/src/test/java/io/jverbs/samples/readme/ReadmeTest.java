package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README is short, and its Maven coordinates are those of the build. */
class ReadmeTest {
    private static final int MOST_BYTES = 8192;

    @Test
    void theReadmeIsShort() throws IOException {
        long bytes = Files.size(Documents.path(Documents.README));
        assertTrue(bytes <= MOST_BYTES, bytes + " bytes");
    }

    @Test
    void theMavenCoordinatesAreThoseOfTheBuild() {
        Matcher version = Pattern.compile("<revision>(.*?)</revision>").matcher(Documents.read("pom.xml"));
        assertTrue(version.find());
        String dependencies = String.join("", Documents.blocks(Documents.README, "xml")).replaceAll("\\s+", "");
        for (String module : List.of("jverbs", "softdevice")) {
            String artifact = artifact(module);
            assertTrue(
                    dependencies.contains("<groupId>io.jverbs</groupId><artifactId>" + artifact
                            + "</artifactId><version>" + version.group(1) + "</version>"),
                    artifact + " " + version.group(1));
        }
    }

    /** {@return the artifact of a module: the name in its POM behind that of the parent} */
    private static String artifact(String module) {
        String pom = Documents.read(module + "/pom.xml").replaceFirst("(?s)<parent>.*?</parent>", "");
        Matcher artifact = Pattern.compile("<artifactId>(.*?)</artifactId>").matcher(pom);
        assertTrue(artifact.find());
        return artifact.group(1);
    }
}
