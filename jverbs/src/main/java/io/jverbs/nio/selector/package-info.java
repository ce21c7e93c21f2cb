/**
 * Selectors over channels on RDMA and of the JDK: which keys a selection checks, how it polls, blocks and is woken. Not
 * exported.
 */
package io.jverbs.nio.selector;
