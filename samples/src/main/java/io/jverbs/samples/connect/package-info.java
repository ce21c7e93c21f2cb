/** What programs that run as server and client share: device lookup, the local address, the TCP connection, options. */
package io.jverbs.samples.connect;
