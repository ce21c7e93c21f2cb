/** RC, UC and UD as state machines: a requester and a responder half for each queue pair. */
package io.jverbs.soft.transport;
