/** {@code samples/run qp-memory}: the memory and time that an idle queue pair takes. */
package io.jverbs.samples.memory;
