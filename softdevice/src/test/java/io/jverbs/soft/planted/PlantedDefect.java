package io.jverbs.soft.planted;

import java.util.ArrayList;
import java.util.List;

/**
 * A defect that is put into a copy of one source file, and the contract test that must notice it.
 *
 * @param number the catalogue number that the defect breaks
 * @param sentence what is wrong
 * @param file the source file, below a module's {@code src/main/java}
 * @param anchor text that the place to change comes after, empty if {@code find} is unique in the file
 * @param find the text to replace
 * @param replacement what to put there
 * @param contractClass the simple name of the contract class
 * @param method the test's name
 */
record PlantedDefect(String number, String sentence, String file, String anchor, String find, String replacement,
        String contractClass, String method) {

    /** What the test's report shows. */
    String title() {
        return number + ": " + sentence + ": caught by " + test();
    }

    /** The contract test, as {@code Class.method}. */
    String test() {
        return contractClass + "." + method;
    }

    /** The class that the file declares. */
    String className() {
        return file.substring(0, file.length() - ".java".length()).replace('/', '.');
    }

    /**
     * The source with the defect in it. White space does not count, so the formatter may wrap lines as it likes.
     *
     * @throws IllegalStateException if the place is not there exactly once
     */
    String plantIn(String source) {
        Text text = new Text(source);
        int from = 0;
        if (!anchor.isEmpty()) {
            from = text.only(new Text(anchor), 0, this) + new Text(anchor).length();
        }
        Text wanted = new Text(find);
        int at = anchor.isEmpty() ? text.only(wanted, 0, this) : text.first(wanted, from, this);
        return source.substring(0, text.start(at)) + replacement + source.substring(text.end(at + wanted.length() - 1));
    }

    /** A text without its white space that knows where each character was. */
    private static final class Text {
        private final String squeezed;
        private final List<Integer> positions = new ArrayList<>();

        Text(String full) {
            StringBuilder kept = new StringBuilder();
            for (int i = 0; i < full.length(); i++) {
                if (!Character.isWhitespace(full.charAt(i))) {
                    kept.append(full.charAt(i));
                    positions.add(i);
                }
            }
            squeezed = kept.toString();
        }

        int length() {
            return squeezed.length();
        }

        int start(int index) {
            return positions.get(index);
        }

        int end(int index) {
            return positions.get(index) + 1;
        }

        int first(Text wanted, int from, PlantedDefect defect) {
            int at = squeezed.indexOf(wanted.squeezed, from);
            if (at < 0) {
                throw new IllegalStateException(defect.file() + " has changed and no longer has the text \""
                        + wanted.squeezed + "\": plant the defect \"" + defect.sentence() + "\" elsewhere");
            }
            return at;
        }

        int only(Text wanted, int from, PlantedDefect defect) {
            int at = first(wanted, from, defect);
            if (squeezed.indexOf(wanted.squeezed, at + 1) >= 0) {
                throw new IllegalStateException(defect.file() + " has the text \"" + wanted.squeezed
                        + "\" more than once: give the defect \"" + defect.sentence() + "\" an anchor");
            }
            return at;
        }
    }
}
