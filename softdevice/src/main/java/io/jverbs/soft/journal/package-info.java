/** Java Flight Recorder events about queue pairs: state changes, retransmissions, NAKs, errors and full send queues. */
package io.jverbs.soft.journal;
