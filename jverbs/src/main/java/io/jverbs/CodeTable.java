package io.jverbs;

import java.util.Arrays;
import java.util.function.ToIntFunction;

/**
 * Maps the numeric values of a C enum to the constants of a Java enum. A lookup is a single array access, because it
 * runs once per completion. Immutable.
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
     * @param values the constants
     * @param code returns the value of a constant; values are small, and negative only for {@code unknown}
     * @param unknown the constant for all values that no other constant has
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
