package io.jverbs.samples.top;

import java.util.ArrayList;
import java.util.List;

/** A table of which each column is as wide as it must be, and the last ones are left out where lines are too short for them. */
final class Grid {
    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * A column.
     *
     * @param title what it has
     * @param least how wide it is at least, so that it stays where it is while numbers change
     * @param left whether its cells begin at the left
     */
    record Column(String title, int least, boolean left) {

        /** Of words. */
        static Column words(String title, int least) {
            return new Column(title, least, true);
        }

        /** Of numbers. */
        static Column numbers(String title, int least) {
            return new Column(title, least, false);
        }

        String pad(String cell, int width) {
            String blanks = " ".repeat(width - cell.length());
            return left ? cell + blanks : blanks + cell;
        }
    }

    Grid(List<Column> columns) {
        this.columns = columns;
        rows.add(columns.stream().map(Column::title).toList());
    }

    /** Adds a row, of as many cells as there are columns. */
    void add(List<String> cells) {
        rows.add(cells);
    }

    /** The titles and the rows, with as many columns as fit whole; the first is there in any case. */
    List<String> lines(int width) {
        int[] widths = new int[columns.size()];
        int shown = 0;
        int used = -1;
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = rows.stream().mapToInt(row -> row.get(column).length()).reduce(columns.get(i).least(),
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
