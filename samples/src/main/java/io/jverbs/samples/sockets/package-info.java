/** Programs that know only the JDK's sockets, on RDMA. */
package io.jverbs.samples.sockets;
