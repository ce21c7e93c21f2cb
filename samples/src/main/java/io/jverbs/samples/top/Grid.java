package io.jverbs.samples.top;

import java.util.ArrayList;
import java.util.List;

/**
 * A text table. Each column is as wide as its widest cell; the last columns are left out if the lines are too short for
 * them.
 */
final class Grid {
    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * A column.
     *
     * @param title the heading
     * @param minWidth the minimum width, which keeps the column in place while numbers change
     * @param leftAligned whether cells are left-aligned
     */
    record Column(String title, int minWidth, boolean leftAligned) {

        /** Creates a left-aligned column. */
        static Column words(String title, int minWidth) {
            return new Column(title, minWidth, true);
        }

        /** Creates a right-aligned column. */
        static Column numbers(String title, int minWidth) {
            return new Column(title, minWidth, false);
        }

        String pad(String cell, int width) {
            String blanks = " ".repeat(width - cell.length());
            return leftAligned ? cell + blanks : blanks + cell;
        }
    }

    Grid(List<Column> columns) {
        this.columns = columns;
        rows.add(columns.stream().map(Column::title).toList());
    }

    /** Adds a row with one cell for each column. */
    void add(List<String> cells) {
        rows.add(cells);
    }

    /** {@return whether there is no row below the heading} */
    boolean isEmpty() {
        return rows.size() == 1;
    }

    /** {@return the heading and the rows with the columns that fit the width; the first column is always shown} */
    List<String> lines(int width) {
        int[] widths = new int[columns.size()];
        int shown = 0;
        int used = -1;
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = rows.stream().mapToInt(row -> row.get(column).length()).reduce(columns.get(i).minWidth(),
                    Math::max);
            used += 1 + widths[i];
            if (shown == i && (i == 0 || used <= width)) {
                shown++;
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < shown; i++) {
                line.append(i == 0 ? "" : " ").append(columns.get(i).pad(row.get(i), widths[i]));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
