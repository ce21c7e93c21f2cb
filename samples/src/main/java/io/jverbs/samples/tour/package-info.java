/**
 * {@code samples/run tour}: all verbs operations on the selected device. Each operation is timed, and each byte that it
 * transfers is checked. {@link io.jverbs.samples.tour.Steps} lists the operations; each is a class of its own in the
 * package {@link io.jverbs.samples.tour.operation} that shows how to use it.
 */
package io.jverbs.samples.tour;
