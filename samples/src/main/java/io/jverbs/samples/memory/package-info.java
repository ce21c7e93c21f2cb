/**
 * {@code samples/run qp-memory} and {@code cm-memory}: the memory and time that an idle queue pair and a connection
 * take.
 */
package io.jverbs.samples.memory;
