package io.jverbs.control;

import java.time.Duration;

/**
 * The way of packets between devices of a {@link SimulatedNetwork}. What is set counts for packets sent from then on; each setter
 * returns this link. Probabilities are 0 to 1 and count for each packet on its own. Unless the selector says otherwise a link takes 1 us
 * and does nothing else. All methods may be called by any thread.
 *
 * <p>
 * Setters throw {@link IllegalArgumentException}, with the range, for a value outside it, and nothing is changed then.
 */
public interface SimulatedLink {

    /**
     * Loses packets.
     *
     * @param probability how likely a packet is lost
     * @return this
     */
    SimulatedLink loss(double probability);

    /**
     * Loses packets in bursts, after Gilbert and Elliott: a burst begins and ends by chance with each packet. {@code burstLoss(0, 1, 0)}
     * ends it.
     *
     * @param begin how likely a burst begins with a packet
     * @param end how likely it ends with a packet
     * @param loss how likely a packet within a burst is lost
     * @return this
     */
    SimulatedLink burstLoss(double begin, double end, double loss);

    /**
     * Delivers packets twice.
     *
     * @param probability how likely a packet has a copy
     * @return this
     */
    SimulatedLink duplicate(double probability);

    /**
     * Holds packets back so that others overtake them. Otherwise a link keeps the order, also when it becomes faster: what is sent
     * then arrives no earlier than what is under way. Only {@link #perfect} and a partition end that.
     *
     * @param probability how likely a packet is held back
     * @param by how much longer it takes than it would, 0 to an hour
     * @return this
     */
    SimulatedLink reorder(double probability, Duration by);

    /**
     * Damages packets: one to three bits, anywhere from the first byte of the BTH to the last of the ICRC, are inverted.
     *
     * @param probability how likely a packet is damaged
     * @return this
     */
    SimulatedLink corrupt(double probability);

    /**
     * Delays packets.
     *
     * @param time how long a packet takes, 0 to an hour
     * @return this
     */
    SimulatedLink delay(Duration time);

    /**
     * Delays packets unevenly.
     *
     * @param most how much longer than {@link #delay} a packet takes at most, 0 to an hour; each time is as likely
     * @return this
     */
    SimulatedLink jitter(Duration most);

    /**
     * Limits how many bits leave in a second, IP headers included; what does not leave at once waits in line.
     *
     * @param bitsPerSecond 1,000 to 1,000,000,000,000, or 0 for no limit
     * @return this
     */
    SimulatedLink bandwidth(long bitsPerSecond);

    /**
     * Loses packets that are too long, as a network does whose routers must not fragment.
     *
     * @param bytes the longest packet, IP header included: 348, which a path MTU of 256 takes, to 65,535
     * @return this
     */
    SimulatedLink mtu(int bytes);

    /**
     * Loses every packet that is sent or would arrive until {@link #heal}. Those sent later wait for none from before.
     *
     * @return this
     */
    SimulatedLink partition();

    /**
     * Ends a partition of this link; of all links, also those of {@link SimulatedNetwork#partition}, which single links do not end.
     *
     * @return this
     */
    SimulatedLink heal();

    /**
     * Makes it a link without faults again, that takes 1 us, and ends a partition as {@link #heal} does. Packets under way stay what
     * they are; those sent later do not wait for them.
     *
     * @return this
     */
    SimulatedLink perfect();
}
