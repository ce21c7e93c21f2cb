package io.jverbs.samples.tour;

import io.jverbs.QpType;
import io.jverbs.samples.tour.operation.AccessErrorOperation;
import io.jverbs.samples.tour.operation.AtomicOperation;
import io.jverbs.samples.tour.operation.AtomicOperation.Kind;
import io.jverbs.samples.tour.operation.DatagramOperation;
import io.jverbs.samples.tour.operation.EventDrivenOperation;
import io.jverbs.samples.tour.operation.MulticastOperation;
import io.jverbs.samples.tour.operation.Operation;
import io.jverbs.samples.tour.operation.ReadOperation;
import io.jverbs.samples.tour.operation.SendOperation;
import io.jverbs.samples.tour.operation.SharedReceiveOperation;
import io.jverbs.samples.tour.operation.Sides;
import io.jverbs.samples.tour.operation.WriteOperation;
import io.jverbs.samples.tour.operation.WriteWithImmediateOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** Lists the steps of the tour. */
final class Steps {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    private final List<Step> list = new ArrayList<>();

    private Steps() {}

    /**
     * {@return the steps for a port}
     *
     * @param largestMessage the maximum message size of the port in bytes
     * @param mtu the maximum size of a datagram in bytes
     */
    static List<Step> of(int largestMessage, int mtu) {
        Steps all = new Steps();
        all.addReliable(largestMessage);
        all.addUnreliable(largestMessage);
        all.addDatagrams(mtu);
        return List.copyOf(all.list);
    }

    private void addReliable(int largest) {
        int[] sizes = upTo(largest, 1, 64, 4 * KIB, 64 * KIB, MIB);
        add("SEND/RECV", QpType.RC, sizes, (sides, size) -> new SendOperation(sides, QpType.RC, size));
        add("WRITE", QpType.RC, sizes, (sides, size) -> new WriteOperation(sides, QpType.RC, size));
        add("WRITE_WITH_IMM", QpType.RC, upTo(largest, 64, 64 * KIB),
                (sides, size) -> new WriteWithImmediateOperation(sides, QpType.RC, size));
        add("READ", QpType.RC, sizes, ReadOperation::new);
        add("ATOMIC_CMP_AND_SWP", QpType.RC, new int[] {Long.BYTES},
                (sides, size) -> new AtomicOperation(sides, Kind.COMPARE_AND_SWAP));
        add("ATOMIC_FETCH_AND_ADD", QpType.RC, new int[] {Long.BYTES},
                (sides, size) -> new AtomicOperation(sides, Kind.FETCH_AND_ADD));
        add("SEND/RECV by SRQ", QpType.RC, upTo(largest, 64, 4 * KIB), SharedReceiveOperation::new);
        add("SEND/RECV by event", QpType.RC, upTo(largest, 64, 4 * KIB), EventDrivenOperation::new);
        list.add(new Step("remote access error", QpType.RC, 64, "both QPs ERR", AccessErrorOperation::new));
    }

    private void addUnreliable(int largest) {
        int[] sizes = upTo(largest, 64, 64 * KIB);
        add("SEND/RECV", QpType.UC, sizes, (sides, size) -> new SendOperation(sides, QpType.UC, size));
        add("WRITE", QpType.UC, sizes, (sides, size) -> new WriteOperation(sides, QpType.UC, size));
        add("WRITE_WITH_IMM", QpType.UC, sizes,
                (sides, size) -> new WriteWithImmediateOperation(sides, QpType.UC, size));
    }

    private void addDatagrams(int mtu) {
        int[] sizes = {1, 64, mtu};
        add("SEND/RECV", QpType.UD, sizes, DatagramOperation::new);
        add("multicast to 2", QpType.UD, new int[] {64, mtu}, MulticastOperation::new);
    }

    private void add(String name, QpType type, int[] sizes, BiFunction<Sides, Integer, Operation> factory) {
        for (int size : sizes) {
            list.add(new Step(name, type, size, "", factory));
        }
    }

    private static int[] upTo(int largest, int... sizes) {
        return IntStream.of(sizes).filter(size -> size <= largest).toArray();
    }
}
