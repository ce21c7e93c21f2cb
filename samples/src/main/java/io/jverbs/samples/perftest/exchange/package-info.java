/**
 * The exchange of perftest 4.5, over which the two sides of a test agree on their parameters, learn each other's
 * addresses, synchronise and exchange their results. Messages have fixed lengths, and each is swapped for one of the
 * peer: the client sends first. The order is:
 *
 * <ol>
 * <li>the version, 16 bytes of text
 * <li>the size of a page and the size of a cache line, 4 bytes each; the larger ones of both sides are used
 * <li>the code of the MTU, 2 bytes of text; the smaller one of both sides is used
 * <li>the address of the queue pair and of the memory, several times, which also synchronises the sides
 * <li>in some tests, the bandwidth: five numbers of 8 bytes
 * <li>over TCP, "done"
 * </ol>
 *
 * Numbers are in network byte order. {@link io.jverbs.samples.perftest.exchange.ParameterExchange} has the steps,
 * {@link io.jverbs.samples.perftest.exchange.AddressFormat} the forms of the address. A
 * {@link io.jverbs.samples.connect.MessageChannel} transfers the messages: a TCP connection, or one of rdma_cm
 * ({@link io.jverbs.samples.connect.CmConnections}). There, the addresses are also exchanged before and after
 * the queue pairs of the test are connected. Two programs of this
 * project recognise each other by the version, and ask each other for work that perftest does not know
 * ({@link io.jverbs.samples.perftest.exchange.Request}), in a field of the address that is 0 otherwise.
 */
package io.jverbs.samples.perftest.exchange;
