/**
 * Everything that the verbs offer, on the chosen device: each operation is timed, and each byte it moves is checked.
 * {@link io.jverbs.samples.tour.Itinerary} lists the operations; each is a class of its own to learn from.
 */
package io.jverbs.samples.tour;
