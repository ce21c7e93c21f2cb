package io.jverbs;

import java.util.Arrays;
import java.util.function.ToIntFunction;

/**
 * Finds the constant of an enum by the number that C uses for it. A look-up is one array access, for it happens once
 * per completion.
 *
 * @param <E> the enum
 */
final class CodeTable<E extends Enum<E>> {
    private final E[] byCode;
    private final E unknown;

    private CodeTable(E[] byCode, E unknown) {
        this.byCode = byCode;
        this.unknown = unknown;
    }

    /**
     * Builds the table of an enum.
     *
     * @param values its constants
     * @param code gives the number of each; numbers are small, and negative for {@code unknown} only
     * @param unknown what numbers without a constant become
     */
    static <E extends Enum<E>> CodeTable<E> of(E[] values, ToIntFunction<E> code, E unknown) {
        int largest = Arrays.stream(values).mapToInt(code).max().orElseThrow();
        E[] byCode = Arrays.copyOf(values, largest + 1);
        Arrays.fill(byCode, unknown);
        for (E value : values) {
            if (value != unknown) {
                byCode[code.applyAsInt(value)] = value;
            }
        }
        return new CodeTable<>(byCode, unknown);
    }

    E find(int code) {
        return code >= 0 && code < byCode.length ? byCode[code] : unknown;
    }
}
