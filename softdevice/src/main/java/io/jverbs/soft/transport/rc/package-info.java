/** Reliable connections over the wire: windows, acknowledgements, retransmission, RNR, READ and atomic responses. */
package io.jverbs.soft.transport.rc;
