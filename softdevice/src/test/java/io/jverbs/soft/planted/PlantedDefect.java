package io.jverbs.soft.planted;

import java.util.ArrayList;
import java.util.List;

/**
 * A defect that is planted in a copy of one source file, and the contract test that must fail because of it.
 *
 * @param number the number of the catalogue entry that the defect violates
 * @param sentence what is wrong, in one sentence
 * @param file the source file, relative to a module's {@code src/main/java}
 * @param anchor text before the text to replace; empty if {@code find} occurs once in the file
 * @param find the text to replace
 * @param replacement the replacement; empty to delete
 * @param contractClass the simple name of the contract class
 * @param method the method name of the contract test
 */
record PlantedDefect(String number, String sentence, String file, String anchor, String find, String replacement,
        String contractClass, String method) {

    /** The display name of the dynamic test. */
    String title() {
        return number + ": " + sentence + ": found by " + test();
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
     * Returns the source with the defect in it. White space is ignored when texts are searched, so that reformatting
     * the source does not matter.
     *
     * @throws IllegalStateException if the text to replace is missing or ambiguous
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

    /** A text without its white space, with the position of each character in the full text. */
    private static final class Text {
        private final String stripped;
        private final List<Integer> positions = new ArrayList<>();

        Text(String full) {
            StringBuilder kept = new StringBuilder();
            for (int i = 0; i < full.length(); i++) {
                if (!Character.isWhitespace(full.charAt(i))) {
                    kept.append(full.charAt(i));
                    positions.add(i);
                }
            }
            stripped = kept.toString();
        }

        int length() {
            return stripped.length();
        }

        int start(int index) {
            return positions.get(index);
        }

        int end(int index) {
            return positions.get(index) + 1;
        }

        int first(Text wanted, int from, PlantedDefect defect) {
            int at = stripped.indexOf(wanted.stripped, from);
            if (at < 0) {
                throw new IllegalStateException(defect.file() + " no longer contains the text \"" + wanted.stripped
                        + "\": plant the defect \"" + defect.sentence() + "\" elsewhere");
            }
            return at;
        }

        int only(Text wanted, int from, PlantedDefect defect) {
            int at = first(wanted, from, defect);
            if (stripped.indexOf(wanted.stripped, at + 1) >= 0) {
                throw new IllegalStateException(defect.file() + " contains the text \"" + wanted.stripped
                        + "\" more than once: give the defect \"" + defect.sentence() + "\" an anchor");
            }
            return at;
        }
    }
}
