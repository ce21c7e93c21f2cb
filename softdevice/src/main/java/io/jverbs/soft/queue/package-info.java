/** Completion rings, receive rings, locks and deferred work: the parts that queues are made of. */
package io.jverbs.soft.queue;
