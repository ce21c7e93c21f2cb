/** Packet capture: the packets of a device are copied into bounded memory and written to a pcapng file. */
package io.jverbs.soft.capture;
