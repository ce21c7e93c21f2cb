package io.jverbs.samples;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant by a misspelled one. */
final class NearestName {
    /** A name is suggested only if at most this part of the word, and one character in any case, is wrong. */
    private static final double MAX_WRONG = 0.4;
    /** In shorter words, as the options of one letter, only the case may be wrong. */
    private static final int MIN_LENGTH = 3;

    private NearestName() {}

    /**
     * {@return the name with the smallest edit distance to a word, the first of several; empty if all are too
     * different}
     *
     * <p>
     * Case does not count, and an underscore equals a hyphen: {@code ib_write_bw} is near {@code write-bw}.
     *
     * @param word what the user typed
     * @param names the names that exist
     */
    static Optional<String> find(String word, Collection<String> names) {
        String typed = normalize(word);
        int limit = typed.length() < MIN_LENGTH ? 0 : Math.max(1, (int) (typed.length() * MAX_WRONG));
        return names.stream().min(Comparator.comparingInt(name -> distance(typed, normalize(name))))
                .filter(name -> distance(typed, normalize(name)) <= limit);
    }

    private static String normalize(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * {@return the optimal string alignment distance: how many characters must be inserted, deleted, replaced, or
     * swapped with their neighbour to turn one text into the other}
     */
    static int distance(String from, String to) {
        int[][] distances = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                distances[i][j] = i == 0 || j == 0 ? i + j : distance(distances, from, to, i, j);
            }
        }
        return distances[from.length()][to.length()];
    }

    /** The distance of the first i and j characters, given all smaller ones. */
    private static int distance(int[][] distances, String from, String to, int i, int j) {
        int replace = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int least = Math.min(distances[i - 1][j - 1] + replace,
                Math.min(distances[i - 1][j], distances[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, distances[i - 2][j - 2] + 1) : least;
    }
}
