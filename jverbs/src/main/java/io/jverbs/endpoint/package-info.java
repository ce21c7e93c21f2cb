/**
 * Endpoints: connections that carry messages, over any device. This is what a program writes first.
 *
 * <p>
 * A {@link io.jverbs.endpoint.Listener} accepts connections at an address, and {@link
 * io.jverbs.endpoint.Endpoint#connect} connects to it. Both sides get an {@link io.jverbs.endpoint.Endpoint}, which
 * sends and receives messages and requests with replies. The package uses only {@code io.jverbs} and {@code
 * io.jverbs.cm}: a queue pair of type RC, whose receives are kept posted, in registered buffers that are used again.
 *
 * <p>
 * All endpoints of a context share one completion queue. The threads that wait poll it, one at a time; if none waits, a
 * thread of the context does. It exists while there are endpoints or listeners.
 *
 * <h2>Private data</h2>
 *
 * The client sends these 16 bytes with its connect request, and the listener with its response, all numbers in network
 * byte order. A side that gets other ones, or another version, rejects or disconnects.
 *
 * <table>
 * <caption>Private data of a connect request and its response</caption>
 * <tr><th>bytes</th><th>content</th></tr>
 * <tr><td>0 to 3</td><td>0x4A564550</td></tr>
 * <tr><td>4, 5</td><td>the version, 1</td></tr>
 * <tr><td>6, 7</td><td>0</td></tr>
 * <tr><td>8 to 11</td><td>the number of messages that this side can hold, 1 to 4096</td></tr>
 * <tr><td>12 to 15</td><td>the maximum length of a message for this side, 1 to 16777216</td></tr>
 * </table>
 *
 * A listener that rejects sends the first six bytes as above, the length of a sentence in two bytes, and the sentence
 * in ASCII.
 *
 * <h2>Messages</h2>
 *
 * Each message is one SEND, and begins with a header of 16 bytes in network byte order. The data follow.
 *
 * <table>
 * <caption>The header of a message</caption>
 * <tr><th>bytes</th><th>content</th></tr>
 * <tr><td>0</td><td>1 message, 2 request, 3 reply, 4 credits only, 5 the last message of its sender</td></tr>
 * <tr><td>1</td><td>how many credits for messages of type 4 and 5 are returned</td></tr>
 * <tr><td>2, 3</td><td>how many credits for the other messages are returned</td></tr>
 * <tr><td>4 to 7</td><td>the length of the data in bytes</td></tr>
 * <tr><td>8 to 15</td><td>the number of the request, also in its reply; otherwise 0</td></tr>
 * </table>
 *
 * A message of type 1 to 3 takes a credit, of which its sender has as many as the peer can hold messages. The peer
 * returns it when it has posted a receive again. Messages of type 4 and 5 have four credits of their own, for which
 * there are four receives more. So there is a receive for each message, and a device never sends an RNR NAK. A side
 * sends a message of type 4 when half of the credits are to be returned, or any while the peer has none.
 *
 * <p>
 * A side checks whether the peer responds by an RDMA WRITE of no bytes, which the device of the peer acknowledges.
 */
package io.jverbs.endpoint;
