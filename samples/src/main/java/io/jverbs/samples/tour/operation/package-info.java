/**
 * The operations of the tour. Each is a class that implements {@link io.jverbs.samples.tour.operation.Operation} and
 * shows how to use the verbs. They share the two sides of the connections
 * ({@link io.jverbs.samples.tour.operation.Sides}), queue pairs
 * ({@link io.jverbs.samples.tour.operation.ConnectedPair},
 * {@link io.jverbs.samples.tour.operation.DatagramQueuePair}), buffers that check every byte
 * ({@link io.jverbs.samples.tour.operation.Buffer}), and completion queues that compare completions with the expected
 * ones ({@link io.jverbs.samples.tour.operation.Completions}). This package does not use
 * {@link io.jverbs.samples.tour}.
 */
package io.jverbs.samples.tour.operation;
