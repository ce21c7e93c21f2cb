package io.jverbs.control;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A simulated network of software devices in this JVM, with its own clock. Its devices {@code sim0}, {@code sim1} and
 * so on are opened with a selector {@code soft:simN?seed=S}. The network loses, duplicates, reorders, corrupts and
 * delays packets as configured, and makes random decisions with a generator that is initialized with the seed. The same
 * calls from one thread give the same run, packet for packet; {@link #packetLogHash()} verifies this. Queue pair
 * numbers, keys and initial PSNs come from the seed too, and so do the addresses of regions: {@link
 * io.jverbs.MemoryRegion#address()} is not the address of the memory.
 *
 * <p>
 * Time is virtual. Events of the network, such as the arrival of a packet or the expiry of a timer of a queue pair, are
 * executed one after the other, and the clock advances from one event to the next. The selector option {@code time=}
 * says which threads execute them, and when:
 * <ul>
 * <li>{@code auto}, the default: polling an empty completion queue executes the next event, no matter when it is due. A
 * wait for a completion event or an asynchronous event executes events until there is one. So delays take no real time,
 * and a program of one thread is repeatable. A wait that would time out also lasts for its timeout in real time,
 * because another thread may still act.
 * <li>{@code stepped}: only {@link #advance}, {@link #runUntil} and {@link #step} execute events.
 * <li>{@code real}: the clock follows real time, and a thread of the network executes events when they are due. Use it
 * for programs with several threads or programs that wait by reading memory. Such a run is not repeatable, and regions
 * have the addresses of their memory. {@link #advance}, {@link #runUntil} and {@link #step} wait in real time. If the
 * waiting thread is interrupted, they return early and keep its interrupt status.
 * </ul>
 * With several threads under {@code auto}, the wait of one thread may let timers of another thread's queue pairs expire
 * before that other thread runs.
 *
 * <p>
 * Methods name a device by its number, the N in {@code simN}. The device need not be open. A network ends when its last
 * context is closed; a selector with the same seed then starts a new one. Selectors of one network have the same
 * options, or none except seed and network name. Others are rejected; before the first context is opened, however, they
 * start a new network. Packets in flight are held on the heap; all packets of a UC message, or of the response to an
 * RDMA READ, are sent at once. Thread-safe, but a condition of {@link #runUntil} must not call methods that execute
 * events.
 *
 * {@snippet :
 * try (RdmaContext client = Verbs.open("soft:sim0?seed=7&loss=0.1&delay=5us");
 *         RdmaContext server = Verbs.open("soft:sim1?seed=7")) {
 *     Greeting greeting = new Greeting(client, server); // the code under test
 *     greeting.send("hello");
 *     while (!greeting.isDone()) {
 *         Thread.onSpinWait();
 *     }
 *     SimulatedNetwork network = client.device().capability(SimulatedNetwork.class).orElseThrow();
 *     System.out.println(greeting.received() + " after " + network.packetCount() + " packets");
 * }
 * }
 */
public interface SimulatedNetwork {

    /** {@return the seed of the random number generator} */
    long seed();

    /**
     * {@return the selector of a device of this network, for {@link io.jverbs.Verbs#open(String)}}
     *
     * @param device the number of the device, 0 to 255
     * @throws IllegalArgumentException if the number is out of range
     */
    String selector(int device);

    /** {@return the time since this network started, by its clock} */
    Duration now();

    /**
     * Executes all events that are due within a duration, and advances the clock by it.
     *
     * @param time the duration, not negative
     * @throws IllegalArgumentException if it is negative or more than 365 days
     */
    void advance(Duration time);

    /**
     * Executes one event after the other until a condition holds.
     *
     * @param condition evaluated before each event and at the end. It may poll completion queues and wait for events;
     *         this neither executes events of the network nor advances the clock
     * @param atMost how far the clock may advance, not negative
     * @return whether the condition holds; if not, the clock has advanced by {@code atMost}
     * @throws IllegalArgumentException if the duration is negative or more than 365 days
     */
    boolean runUntil(BooleanSupplier condition, Duration atMost);

    /**
     * Executes the next event, and sets the clock to the time at which it is due. With {@code time=real} it waits until
     * then.
     *
     * @return false if there is no event, or the thread was interrupted while it waited
     */
    boolean step();

    /**
     * {@return the link between two devices, in both directions} The link of a device to itself carries the packets
     * between queue pairs of that device.
     *
     * @param device the number of one device, 0 to 255
     * @param other the number of the other device, 0 to 255
     * @throws IllegalArgumentException if a number is out of range
     */
    SimulatedLink link(int device, int other);

    /**
     * {@return the link from one device to another, in this direction only}
     *
     * @param from the number of the sending device, 0 to 255
     * @param to the number of the receiving device, 0 to 255
     * @throws IllegalArgumentException if a number is out of range
     */
    SimulatedLink path(int from, int to);

    /** {@return all links together, including those of devices that do not exist yet} */
    SimulatedLink links();

    /**
     * Cuts some devices off from all others, as when a cable between two switches breaks. They still reach each other.
     * {@link #heal}, and {@code heal} and {@code perfect} of {@link #links}, end the partition.
     *
     * @param devices the numbers of the devices, 0 to 255
     * @throws IllegalArgumentException if a number is out of range
     */
    void partition(int... devices);

    /** Ends all partitions, including those of single links. */
    void heal();

    /**
     * {@return what has happened in the queue of the switch for the link to a device} Everything is 0 if the network
     * has no switch, see the selector option {@code switch=}.
     *
     * @param device the number of the device, 0 to 255
     * @throws IllegalArgumentException if the number is out of range
     */
    SimulatedQueue queue(int device);

    /** {@return the latest packets, at most 1024, in the order in which they were sent} */
    List<SimulatedPacket> packetLog();

    /** {@return how many packets have been sent, copies included} */
    long packetCount();

    /**
     * {@return the SHA-256 in hex over all packets sent so far, with the time, sender, destination, all bytes and fate
     * of each} Two runs with the same hash are identical.
     */
    String packetLogHash();
}
