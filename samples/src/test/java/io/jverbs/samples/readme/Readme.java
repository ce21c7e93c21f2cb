package io.jverbs.samples.readme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The README of the checkout. */
public final class Readme {
    /** Maven's name for the module's folder; an IDE runs tests in it too. */
    private static final Path CHECKOUT = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private Readme() {}

    /** {@return the whole text} */
    public static String text() {
        return read("README.md");
    }

    /** {@return the text of a file of the checkout} */
    static String read(String path) {
        try {
            return Files.readString(CHECKOUT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the code blocks in a language} */
    static List<String> blocks(String language) {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$").matcher(text()).results()
                .map(block -> block.group(1)).toList();
    }
}
