package io.jverbs.samples.devinfo;

import java.io.PrintWriter;
import java.util.Locale;

/** Lines "name: value" in the columns of {@code ibv_devinfo}: indented by tabs, values aligned by tabs. */
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
        int reached = (indent * TAB + name.length() + 1) / TAB;
        out.print("\t".repeat(indent) + name + ":" + "\t".repeat(valueColumn - reached) + value + "\n");
    }

    void print(String name, String format, Object value) {
        print(name, String.format(Locale.ROOT, format, value));
    }

    /** A number with its meaning before it. */
    void printCoded(String name, String meaning, int code) {
        print(name, meaning + " (" + code + ")");
    }

    /** A flag that is set in the field printed before. */
    void printFlag(String flag) {
        out.print("\t".repeat(FLAG_INDENT) + flag + "\n");
    }
}
