/** Rings, locks and deferred work: what queues are made of. */
package io.jverbs.soft.queue;
