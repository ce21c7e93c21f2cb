package io.jverbs.soft;

import java.util.HashMap;
import java.util.Map;

/** System properties that have other values during an action. */
public final class TemporaryProperties {

    /**
     * An action with a result.
     *
     * @param <T> the result
     * @param <E> the exception
     */
    public interface Action<T, E extends Exception> {
        T run() throws E;
    }

    private TemporaryProperties() {}

    /** Sets properties, runs an action, and restores the former values. */
    public static <T, E extends Exception> T with(Map<String, String> properties, Action<T, E> action) throws E {
        Map<String, String> former = new HashMap<>();
        properties.forEach((name, value) -> former.put(name, System.setProperty(name, value)));
        try {
            return action.run();
        } finally {
            former.forEach((name, value) -> {
                if (value == null) {
                    System.clearProperty(name);
                } else {
                    System.setProperty(name, value);
                }
            });
        }
    }
}
