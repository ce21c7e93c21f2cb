/** Programs that know only the JDK's channels and clients: the tests run them over RDMA with C programs. */
package io.jverbs.samples.interop.program;
