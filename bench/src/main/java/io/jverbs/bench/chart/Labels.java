package io.jverbs.bench.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Places labels beside the points that they name. */
final class Labels {
    private Labels() {}

    /**
     * {@return coordinates near the wanted ones, in the same order, that have a distance}
     *
     * @param wanted the coordinates of the points
     * @param distance the least distance of two labels
     * @param least the smallest coordinate
     * @param most the greatest coordinate; the range has room for all labels
     */
    static List<Double> apart(List<Double> wanted, double distance, double least, double most) {
        List<Integer> order = IntStream.range(0, wanted.size()).boxed().sorted(Comparator.comparing(wanted::get))
                .toList();
        List<Double> places = new ArrayList<>(wanted);
        double free = least;
        for (int i : order) {
            places.set(i, Math.max(wanted.get(i), free));
            free = places.get(i) + distance;
        }
        free = most;
        for (int i : order.reversed()) {
            places.set(i, Math.min(places.get(i), free));
            free = places.get(i) - distance;
        }
        return places;
    }
}
