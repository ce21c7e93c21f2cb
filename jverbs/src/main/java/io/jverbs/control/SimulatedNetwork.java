package io.jverbs.control;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A network of software devices that exists only in this JVM, with a clock of its own: the devices {@code sim0}, {@code sim1} and so
 * on of a selector {@code soft:simN?seed=S}. It loses, doubles, reorders, damages and delays packets as told, and decides with random
 * numbers that its seed begins: whoever makes the same calls from one thread gets the same run, packet for packet, which
 * {@link #packetLogHash()} proves. Queue pair numbers, keys and first PSNs come from the seed too, and so do the addresses of regions:
 * {@link io.jverbs.MemoryRegion#address()} is not that of the memory.
 *
 * <p>
 * Time is virtual. What happens in the network, a packet's arrival or an alarm of a queue pair, happens one thing after the other, in a
 * thread that waits for it; the clock goes from one to the next. When that is, {@code time=} in the selector says:
 * <ul>
 * <li>{@code auto}, unless told: a poll of an empty completion queue has the next thing happen, whenever it is due; a wait for an event
 * has things happen until there is one. So nothing takes real time, and a program of one thread runs the same each time. A wait that
 * would end in vain looks around for its real time as well, as another thread might still do something.
 * <li>{@code stepped}: only {@link #advance}, {@link #runUntil} and {@link #step} have things happen.
 * <li>{@code real}: the clock goes as the real one, and a thread of the network has things happen when they are due. For programs of
 * several threads, or that wait by looking at memory; such a run is not repeatable, as threads never are, and regions have
 * the addresses of their memory. {@link #advance}, {@link #runUntil} and {@link #step} wait then, in real time. A thread that is
 * interrupted waits no longer: they return early, and its interrupt status stays.
 * </ul>
 * With several threads under {@code auto}, what one of them waits for may make the timers of another sound before it gets its turn.
 *
 * <p>
 * Devices are named by their number, the N in {@code simN}. Those that nobody has opened yet can be named too. A network lives
 * until the last context on it is closed; a selector of the same seed then begins it anew. Selectors of one network have the same
 * options, or none besides seed and name; others are refused, but before the first context is opened they begin it anew. Packets under way lie in the heap, those of a whole UC message or of
 * the answer to an RDMA READ at once. All methods may be called by any thread, but
 * not by a condition of {@link #runUntil} if they have things happen.
 */
public interface SimulatedNetwork {

    /** {@return the number that all random numbers begin with} */
    long seed();

    /**
     * {@return the selector of a device of this network, for {@link io.jverbs.Verbs#open(String)}}
     *
     * @param device its number, 0 to 255
     * @throws IllegalArgumentException if the number is another
     */
    String selector(int device);

    /** {@return how long this network has been there, by its own clock} */
    Duration now();

    /**
     * Has everything happen that is due within some time, and sets the clock on by it.
     *
     * @param time how long, not negative
     * @throws IllegalArgumentException if it is negative or more than 365 days
     */
    void advance(Duration time);

    /**
     * Has one thing after the other happen until a condition holds.
     *
     * @param condition asked before each and at the end; it may poll completion queues and wait for events, which has nothing
     *     happen meanwhile and leaves the clock where it is
     * @param atMost how far the clock may go on, not negative
     * @return whether the condition holds; if not, the clock has gone on by {@code atMost}
     * @throws IllegalArgumentException if the time is negative or more than 365 days
     */
    boolean runUntil(BooleanSupplier condition, Duration atMost);

    /**
     * Has the next thing happen, and sets the clock to when it is due; with {@code time=real} waits for that.
     *
     * @return false if there is nothing to come, or the thread was interrupted while it waited
     */
    boolean step();

    /**
     * {@return the way between two devices, in both directions; of one to itself, what queue pairs of one device send each other}
     *
     * @param device the number of one of them, 0 to 255
     * @param other that of the other
     * @throws IllegalArgumentException if a number is another
     */
    SimulatedLink link(int device, int other);

    /**
     * {@return the way from one device to another, in this direction alone}
     *
     * @param from the number of the device that sends, 0 to 255
     * @param to that of the device that receives
     * @throws IllegalArgumentException if a number is another
     */
    SimulatedLink path(int from, int to);

    /** {@return all ways at once, also those to devices that are not there yet} */
    SimulatedLink links();

    /**
     * Cuts some devices off from all others, as when a cable between two switches breaks: they reach each other still. {@link #heal}
     * ends it, and so do {@code heal} and {@code perfect} of {@link #links}.
     *
     * @param devices their numbers, 0 to 255
     * @throws IllegalArgumentException if a number is another
     */
    void partition(int... devices);

    /** Ends all partitions, also those of single links. */
    void heal();

    /** {@return the latest packets, at most 1024, in the order in which they were sent} */
    List<SimulatedPacket> packetLog();

    /** {@return how many packets have been sent, copies included} */
    long packetCount();

    /**
     * {@return the SHA-256 over each packet that was sent so far: when, by whom, to whom, all of its bytes, and what became of it; in hex}
     * Two runs with the same hash are the same.
     */
    String packetLogHash();
}
