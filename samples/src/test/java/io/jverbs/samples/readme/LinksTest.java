package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every relative link of a document leads to a file, folder or heading that exists. */
class LinksTest {
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final Pattern CHAPTER = Pattern.compile("(?m)^## (.*)$");
    private static final Pattern CONTENTS = Pattern.compile("(?m)^- \\[([^\\]]+)\\]\\(#[^)]+\\)$");
    private static final Pattern ABSOLUTE = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
    private static final String IMAGES = "docs/images";

    static List<String> documents() {
        return Documents.names();
    }

    private static Stream<String> links(String document) {
        return LINK.matcher(CODE.matcher(Documents.prose(document)).replaceAll("")).results()
                .map((MatchResult link) -> link.group(1)).filter(link -> !ABSOLUTE.matcher(link).matches());
    }

    /** The anchors of a document as GitHub makes them: words in lower case with hyphens between them. */
    private static Set<String> anchors(String document) {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> counts = new HashMap<>();
        HEADING.matcher(Documents.prose(document)).results().forEach((MatchResult heading) -> {
            String anchor = heading.group(1).strip().toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
            int before = counts.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        });
        return anchors;
    }

    /** {@return why a link of a document leads nowhere, null if it leads somewhere} */
    private static String fault(String document, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty()
                ? Documents.path(document)
                : Documents.path(document).getParent().resolve(file).normalize();
        if (!Files.exists(target)) {
            return link + ": no such file";
        }
        if (hash < 0) {
            return null;
        }
        String name = Documents.path("").relativize(target).toString().replace('\\', '/');
        if (!name.endsWith(".md") || !anchors(name).contains(link.substring(hash + 1))) {
            return link + ": no such heading";
        }
        return null;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyRelativeLinkLeadsSomewhere(String document) {
        List<String> faults = new ArrayList<>();
        links(document).forEach(link -> {
            String fault = fault(document, link);
            if (fault != null) {
                faults.add(fault);
            }
        });
        assertEquals(List.of(), faults);
    }

    /** A page with a list of contents begins with it: links to headings of the page itself. */
    @ParameterizedTest
    @MethodSource("documents")
    void aListOfContentsHasEveryHeadingInItsOrder(String document) {
        String text = Documents.prose(document);
        int first = text.indexOf("\n## ");
        if (first < 0 || !CONTENTS.matcher(text.substring(0, first)).find()) {
            return;
        }
        List<String> listed = CONTENTS.matcher(text.substring(0, first)).results()
                .map((MatchResult entry) -> entry.group(1)).toList();
        List<String> headings = CHAPTER.matcher(text).results().map((MatchResult heading) -> heading.group(1)).toList();

        assertEquals(headings, listed);
    }

    @Test
    void theReadmeLinksToEveryPage() {
        List<String> linked = links(Documents.README).toList();
        assertEquals(List.of(), Documents.names().stream()
                .filter(name -> name.startsWith("docs/") && !linked.contains(name)).toList());
    }

    @Test
    void everyImageIsWellFormedAndUsed() throws Exception {
        Set<String> used = new HashSet<>();
        for (String document : documents()) {
            links(document).forEach(link -> used.add(link.substring(link.lastIndexOf('/') + 1)));
        }
        List<Path> images = Documents.files(IMAGES, 1, ".svg");
        assertFalse(images.isEmpty());
        List<String> unused = new ArrayList<>();
        for (Path image : images) {
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(image.toFile());
            if (!used.contains(image.getFileName().toString())) {
                unused.add(image.toString());
            }
        }
        assertEquals(List.of(), unused);
    }
}
