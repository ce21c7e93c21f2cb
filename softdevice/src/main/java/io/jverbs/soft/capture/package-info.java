/** Captures packets: what is seen of a port goes through bounded memory into a pcapng file. */
package io.jverbs.soft.capture;
