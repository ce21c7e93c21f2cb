/**
 * The provider of software devices, where {@link io.jverbs.Verbs} enters. Dependencies are acyclic. Each package in
 * this list depends only on those after it:
 * <ol>
 * <li>{@code soft}: the provider</li>
 * <li>{@code soft.device}: devices and contexts, and the control path that creates, modifies and destroys objects</li>
 * <li>{@code soft.management}, {@code .communication}: the connection manager, and the state machines of
 * communication management</li>
 * <li>{@code soft.simulation}, {@code soft.capture}: a simulated network with its own clock; packet capture</li>
 * <li>{@code soft.fabric.udp}: RoCEv2 over UDP sockets</li>
 * <li>{@code soft.fabric}: ports, GIDs, the network within a JVM, and the interface of all fabrics</li>
 * <li>{@code soft.transport.rc}, {@code .uc}, {@code .ud}: the protocols of the transport services</li>
 * <li>{@code soft.transport.local}: execution within a JVM</li>
 * <li>{@code soft.transport}: queue pairs, their requester and responder halves, send and receive queues</li>
 * <li>{@code soft.congestion}: how much may be in flight</li>
 * <li>{@code soft.protocol}: messages, opcodes, PSNs, counters, clocks</li>
 * <li>{@code soft.memory}: keys, and copies of registered memory</li>
 * <li>{@code soft.queue}: rings, locks and deferred work</li>
 * <li>{@code soft.wire}, {@code soft.linux}, {@code soft.journal}, {@code soft.management.message}: RoCEv2 packets;
 * system calls; JFR events; the messages of communication management</li>
 * </ol>
 */
package io.jverbs.soft;
