package io.jverbs.control;

import java.time.Duration;

/**
 * The properties of one or more links between devices of a {@link SimulatedNetwork}. A setter affects packets that are
 * sent after the call and returns this link. Probabilities are 0 to 1 and apply to each packet independently. By
 * default a link delays packets by 1 us and has no faults; the selector can change that. Thread-safe.
 *
 * <p>
 * A setter throws {@link IllegalArgumentException}, with the range, for a value out of range, and then changes nothing.
 */
public interface SimulatedLink {

    /**
     * Loses packets.
     *
     * @param probability the probability that a packet is lost
     * @return this
     */
    SimulatedLink loss(double probability);

    /**
     * Loses packets in bursts, by the Gilbert-Elliott model: with each packet a burst may begin or end. {@code
     * burstLoss(0, 1, 0)} switches it off.
     *
     * @param begin the probability that a burst begins with a packet
     * @param end the probability that a burst ends with a packet
     * @param loss the probability that a packet within a burst is lost
     * @return this
     */
    SimulatedLink burstLoss(double begin, double end, double loss);

    /**
     * Duplicates packets.
     *
     * @param probability the probability that a packet is delivered twice
     * @return this
     */
    SimulatedLink duplicate(double probability);

    /**
     * Reorders packets: delays some of them so that later packets overtake them. A link keeps the order of all other
     * packets, even if its delay becomes shorter: a later packet does not arrive before one that is in flight. Only
     * {@link #perfect} and a partition clear this constraint.
     *
     * @param probability the probability that a packet is delayed
     * @param by the additional delay, 0 to an hour
     * @return this
     */
    SimulatedLink reorder(double probability, Duration by);

    /**
     * Corrupts packets: inverts one to three bits, anywhere from the first byte of the BTH to the last byte of the
     * ICRC.
     *
     * @param probability the probability that a packet is corrupted
     * @return this
     */
    SimulatedLink corrupt(double probability);

    /**
     * Sets the delay of packets.
     *
     * @param time how long a packet takes to arrive, 0 to an hour
     * @return this
     */
    SimulatedLink delay(Duration time);

    /**
     * Adds a random delay to each packet.
     *
     * @param most the maximum delay in addition to {@link #delay}, 0 to an hour; uniformly distributed
     * @return this
     */
    SimulatedLink jitter(Duration most);

    /**
     * Limits the bandwidth, IP headers included. Packets that exceed it wait in a FIFO queue.
     *
     * @param bitsPerSecond 1,000 to 1,000,000,000,000, or 0 for no limit
     * @return this
     */
    SimulatedLink bandwidth(long bitsPerSecond);

    /**
     * Drops packets that are too long, as a network does whose routers must not fragment.
     *
     * @param bytes the maximum length of a packet, IP header included: 348, which a path MTU of 256 needs, to 65,535
     * @return this
     */
    SimulatedLink mtu(int bytes);

    /**
     * Drops every packet that is sent or would arrive until {@link #heal}. Packets sent after that do not queue behind
     * packets from before.
     *
     * @return this
     */
    SimulatedLink partition();

    /**
     * Ends a partition of this link. On {@link SimulatedNetwork#links}, it also ends partitions by {@link
     * SimulatedNetwork#partition}; on a single link it does not.
     *
     * @return this
     */
    SimulatedLink heal();

    /**
     * Resets the link to a delay of 1 us without faults, and ends a partition as {@link #heal} does. Packets in flight
     * are not changed, and packets sent later do not queue behind them.
     *
     * @return this
     */
    SimulatedLink perfect();
}
