package io.jverbs.samples.devinfo;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints lines "name: value" in the columns of {@code ibv_devinfo}: indented with tabs, values aligned with tabs. */
final class Fields {
    private static final int TAB = 8;
    private static final int FLAG_INDENT = 5;

    private final PrintWriter out;
    private final int indent;
    private final int valueColumn;

    private Fields(PrintWriter out, int indent, int valueColumn) {
        this.out = out;
        this.indent = indent;
        this.valueColumn = valueColumn;
    }

    static Fields ofDevice(PrintWriter out) {
        return new Fields(out, 1, 5);
    }

    static Fields ofPort(PrintWriter out) {
        return new Fields(out, 3, 6);
    }

    void print(String name, Object value) {
        int tabsUsed = (indent * TAB + name.length() + 1) / TAB;
        out.print("\t".repeat(indent) + name + ":" + "\t".repeat(valueColumn - tabsUsed) + value + "\n");
    }

    void print(String name, String format, Object value) {
        print(name, String.format(Locale.ROOT, format, value));
    }

    /** Prints a number in parentheses after its meaning. */
    void printCoded(String name, String meaning, int code) {
        print(name, meaning + " (" + code + ")");
    }

    /** Prints the name of a flag that is set in the preceding field. */
    void printFlag(String flag) {
        out.print("\t".repeat(FLAG_INDENT) + flag + "\n");
    }
}
