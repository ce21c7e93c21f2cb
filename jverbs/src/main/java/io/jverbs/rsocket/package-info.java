/**
 * Streams of bytes over RDMA: they follow the protocol of the stream mode of librdmacm's rsocket, see rsocket(7), and
 * have not been tried against it yet.
 *
 * <p>
 * The package uses only {@code io.jverbs} and {@code io.jverbs.cm}: a queue pair of type RC for each stream, in a
 * protection domain of its own. The sender
 * writes the bytes with RDMA WRITE with immediate data into the receive buffer of its peer.
 *
 * <h2>Connect data</h2>
 *
 * Both sides send these 40 bytes, {@code struct rs_conn_data}, as private data of the connect request and of its
 * response. All numbers are in network byte order.
 *
 * <table>
 * <caption>Private data of a connect request and its response</caption>
 * <tr><th>bytes</th><th>content</th></tr>
 * <tr><td>0</td><td>the version, 1</td></tr>
 * <tr><td>1</td><td>flags: 1 if this side is big-endian, 2 if it supports iomaps</td></tr>
 * <tr><td>2, 3</td><td>credits: how many data messages this side can hold</td></tr>
 * <tr><td>4 to 6</td><td>0</td></tr>
 * <tr><td>7</td><td>the number of entries of the target iomap; above 128, the lower seven bits times
 * 256</td></tr>
 * <tr><td>8 to 23</td><td>address, key and number of entries of the target SGL of this side</td></tr>
 * <tr><td>24 to 39</td><td>address, key and length in bytes of the first half of the receive buffer</td></tr>
 * </table>
 *
 * <h2>Messages</h2>
 *
 * A message is the immediate data of an RDMA WRITE: three bits for the operation, then 29 bits with its value.
 *
 * <table>
 * <caption>Operations of messages</caption>
 * <tr><th>operation</th><th>value</th><th>what the WRITE writes</th></tr>
 * <tr><td>0, data</td><td>the number of bytes</td><td>the bytes, at the current entry of the target SGL of
 * the sender</td></tr>
 * <tr><td>4, SGL</td><td>the limit of the peer's sequence number, in 16 bits</td><td>nothing, or the next entry of the
 * target SGL of the peer: a half of the receive buffer that is free</td></tr>
 * <tr><td>6, iomap</td><td>the index of the entry</td><td>an entry of the target iomap of the peer</td></tr>
 * <tr><td>7, control</td><td>0 disconnect, 1 keep-alive, 2 shutdown</td><td>nothing</td></tr>
 * </table>
 *
 * Entries of the target SGL and of the target iomap are in the byte order of the side that owns the memory.
 */
package io.jverbs.rsocket;
