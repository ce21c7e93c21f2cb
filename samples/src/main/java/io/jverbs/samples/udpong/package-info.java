/** The program udpong of rdmacm-utils, which measures datagrams; it interoperates with the C program. */
package io.jverbs.samples.udpong;
