/**
 * A simulated network of devices within this JVM, with its own clock and with faults on request. It implements {@link
 * io.jverbs.soft.fabric.Fabric}, as the UDP fabric does, and carries complete RoCEv2 packets, ICRC included. The state
 * machines of {@code soft.transport} are the same over both.
 *
 * <p>
 * {@code Schedule} is the clock and the queue of events: packets that arrive, timers, and responses that are due.
 * Events run one at a time, with the {@code EventRunner} held, in the order of their time; events of the same time run
 * in the order in which they were scheduled. The network has a thread of its own with {@code time=real} only. Otherwise
 * a thread that polls an empty completion queue, or waits for an event, takes the runner and runs events. A
 * single-threaded program and its network are therefore one sequence of steps, which is repeatable.
 *
 * <p>
 * The seed determines keys, queue pair numbers, first PSNs and the addresses of registered memory ({@code
 * soft.fabric.NumberSource}); each device has its own generator. The seed also determines the fate of packets; each
 * direction of each link has its own generator, so that traffic elsewhere does not affect it. Random numbers are drawn
 * only for the faults that are set on the link.
 *
 * <p>
 * Lock order: the runner, then the locks of queue pairs, then, after all other locks, the lock of the schedule, which
 * also guards the links and the packet log.
 */
package io.jverbs.soft.simulation;
