/**
 * A network of devices within this JVM that has its own clock and faults at will. It is a {@link
 * io.jverbs.soft.fabric.WayOut} as that over UDP is, and carries the very packets of RoCEv2, ICRC included: the state machines of
 * {@code soft.transport} do not know which of the two they speak over.
 *
 * <p>
 * {@code Schedule} is the clock and the list of what is to come: packets' arrivals, alarms, answers that are
 * due. Things happen one at a time, under the {@code Turn}, in the order of their time, and of
 * their entry where the time is the same. There is no thread for that, but with {@code time=real}: who polls an empty completion queue or
 * waits for an event takes the turn, as who polls does with {@code fabric.Engine}. So a program of one thread and its network are one
 * sequence of steps, and repeat.
 *
 * <p>
 * What the seed decides: keys, queue pair numbers, first PSNs and addresses of registered memory ({@code soft.Numbering}), each device
 * by a generator of its own; the fate of packets, each direction of each link by a
 * generator of its own, so that traffic elsewhere does not matter. A packet draws only for the faults that its link has.
 *
 * <p>
 * Locks: the turn is taken before those of queue pairs, that of the schedule, which guards links and log too, after all others.
 */
package io.jverbs.soft.simulation;
