package io.jverbs.samples.readme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The documents of the checkout: the Markdown files at its top and those in the folder {@code docs}. */
public final class Documents {
    static final String README = "README.md";
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
    /** Maven sets the property to the folder of the module; an IDE runs tests in this folder. */
    private static final Path CHECKOUT = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private Documents() {}

    /**
     * A block of code.
     *
     * @param language the language that the block names, empty if it names none
     * @param text the lines of the block
     */
    record Block(String language, String text) {}

    /** {@return the path of a file or folder of the checkout} */
    static Path path(String name) {
        return CHECKOUT.resolve(name);
    }

    /** {@return the text of a file of the checkout} */
    public static String read(String name) {
        try {
            return Files.readString(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the names of the documents, relative to the checkout} */
    static List<String> names() {
        List<String> names = new ArrayList<>();
        for (String folder : List.of("", "docs")) {
            files(folder, 1, ".md").forEach(file -> names.add(CHECKOUT.relativize(file).toString().replace('\\', '/')));
        }
        return names;
    }

    /** {@return the files of a folder of the checkout whose names have the ending, in the order of their names} */
    static List<Path> files(String folder, int depth, String ending) {
        try (Stream<Path> found = Files.walk(path(folder), depth)) {
            return found.filter(file -> file.getFileName().toString().endsWith(ending) && Files.isRegularFile(file))
                    .sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the blocks of code of a document, in their order} */
    static List<Block> blocks(String document) {
        return BLOCK.matcher(read(document)).results()
                .map((MatchResult block) -> new Block(block.group(1), block.group(2))).toList();
    }

    /** {@return the texts of the blocks of a document that name the language} */
    static List<String> blocks(String document, String language) {
        return blocks(document).stream().filter(block -> block.language().equals(language)).map(Block::text).toList();
    }

    /** {@return a document without its blocks of code} */
    static String prose(String document) {
        return BLOCK.matcher(read(document)).replaceAll("");
    }
}
