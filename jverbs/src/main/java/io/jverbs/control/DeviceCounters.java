package io.jverbs.control;

import java.util.Map;

/** What a device has counted since it was made. Safe for use by many threads. */
public interface DeviceCounters {

    /**
     * Reads all counters. Each value is exact for its moment, but they are not all of the same moment.
     *
     * @return an unmodifiable map from the counter's name to its value. Names are those of Linux' {@code hw_counters}
     *         where it has one
     */
    Map<String, Long> snapshot();
}
