/**
 * Java Flight Recorder events about queue pairs: state changes, retransmissions, NAKs, errors and full send queues; and
 * about the connection manager: the states of connections, and events of IDs.
 */
package io.jverbs.soft.journal;
