package io.jverbs.soft.closing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.ProtectionDomain;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.fault.FaultInjection;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.strict.StrictMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The time to create and to close an object does not depend on the number of other objects. A linear search through a
 * hundred thousand objects would take hundreds of times as long as one through a hundred. Each figure is the median of
 * many calls, measured before there are many other objects, while there are, and afterwards. While there are, it is the
 * least of several medians, because memory that the many objects have just taken makes the next allocations slow.
 */
@Isolated("it compares times")
final class ClosingCostTest {
    private static final int WARM_UP = 3000;
    private static final int ROUNDS = 1500;
    /** The most medians that are taken; a search of all objects makes each of them too long. */
    private static final int MEDIANS = 20;
    private static final int FEW = 100;
    /** The numbers of objects. A device has at most 65,536 objects of most kinds. */
    private static final Map<OpenObjects.Kind, Integer> MANY = Map.of(OpenObjects.Kind.QUEUE_PAIRS, 60_000,
            OpenObjects.Kind.REGIONS_AND_WINDOWS, 100_000, OpenObjects.Kind.ALL_ELSE, 50_000);
    private static final int MANY_DESTINATIONS = 34_000;
    /** The low half of the GID ::ffff:10.0.0.1. */
    private static final long FIRST_DESTINATION = 0xFFFF_0A00_0001L;
    private static final int MAX_RATIO = 3;
    /**
     * Shorter times are not compared: cache misses may multiply them. A linear search takes several times as long.
     */
    private static final long MIN_NANOS = 2_000;

    static Stream<Arguments> layeredCases() {
        return Stream.of(OpenObjects.Kind.values())
                .flatMap(kind -> Stream.of("faults", "strict").map(layer -> Arguments.of(kind, layer)));
    }

    private static DeviceLayer[] layers(String name) {
        return switch (name) {
            case "faults" -> new DeviceLayer[] {FaultInjection.of()};
            case "strict" -> new DeviceLayer[] {StrictMode.reporting()};
            default -> new DeviceLayer[0];
        };
    }

    @ParameterizedTest(name = "many: {0}")
    @EnumSource
    void creatingAndClosingTakesNoLongerWithVeryManyOtherObjects(OpenObjects.Kind kind) throws Exception {
        measure(kind, "none");
    }

    @ParameterizedTest(name = "many: {0}, layers: {1}")
    @MethodSource("layeredCases")
    @Tag("variants")
    void creatingAndClosingBehindLayersTakesNoLongerWithVeryManyOtherObjects(OpenObjects.Kind kind, String layer)
            throws Exception {
        measure(kind, layer);
    }

    private static void measure(OpenObjects.Kind kind, String layer) throws Exception {
        try (RdmaContext context = Verbs.select("soft").open(layers(layer))) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(16);
            OpenObjects others = new OpenObjects(context, pd, cq);
            for (OpenObjects.Kind each : OpenObjects.Kind.values()) {
                others.add(each, FEW);
            }
            Costs warmUp = new Costs(context, pd, cq, WARM_UP);
            warmUp.medians();
            warmUp.close();
            Costs costs = new Costs(context, pd, cq, ROUNDS);
            Map<String, Long> before = costs.medians();
            OpenObjects many = new OpenObjects(context, pd, cq);
            many.add(kind, MANY.get(kind));
            Map<String, Long> during = costs.medians();
            for (int i = 1; i < MEDIANS && !slower(before, during, before).isEmpty(); i++) {
                costs.medians().forEach((verb, nanos) -> during.merge(verb, nanos, Math::min));
            }
            many.close();
            Map<String, Long> after = costs.medians();
            List<String> slower = slower(before, during, after);
            assertTrue(slower.isEmpty(), slower::toString);
            costs.close();
            others.close();
            cq.close();
            pd.close();
        }
    }

    private static List<String> slower(Map<String, Long> before, Map<String, Long> during, Map<String, Long> after) {
        return during.keySet().stream()
                .filter(verb -> during.get(verb) > MAX_RATIO
                        * Math.max(MIN_NANOS, Math.max(before.get(verb), after.get(verb))))
                .map(verb -> verb + " took " + during.get(verb) + " ns with many other objects, " + before.get(verb)
                        + " ns before, " + after.get(verb) + " ns afterwards")
                .toList();
    }

    /** Over the wire each destination has a route. Creating an address handle does not search the other routes. */
    @Test
    void creatingAnAddressHandleTakesNoLongerWithManyDestinations() {
        try (RdmaContext context = Verbs.open(LoopbackAddress.wired())) {
            ProtectionDomain pd = context.allocatePd();
            List<AddressHandle> all = new ArrayList<>();
            destinations(context, pd, WARM_UP, all);
            all.forEach(AddressHandle::close);
            all.clear();
            long few = destinations(context, pd, ROUNDS, all);
            destinations(context, pd, MANY_DESTINATIONS, all);
            long many = Long.MAX_VALUE;
            for (int i = 0; i < MEDIANS && many > MAX_RATIO * Math.max(MIN_NANOS, few); i++) {
                many = Math.min(many, destinations(context, pd, ROUNDS, all));
            }
            long least = many;
            assertTrue(least <= MAX_RATIO * Math.max(MIN_NANOS, few),
                    () -> "an address handle took " + least + " ns, and " + few + " ns with few destinations");
            all.forEach(AddressHandle::close);
        }
    }

    /** Creates address handles to new destinations; returns the median time in nanoseconds. */
    private static long destinations(RdmaContext context, ProtectionDomain pd, int count, List<AddressHandle> all) {
        int index = context.preferredGid(1).index();
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            AhAttributes to = AhAttributes.builder().port(1).sgidIndex(index)
                    .destination(Gid.of(0, FIRST_DESTINATION + all.size())).build();
            long start = System.nanoTime();
            all.add(pd.createAddressHandle(to));
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[count / 2];
    }
}
