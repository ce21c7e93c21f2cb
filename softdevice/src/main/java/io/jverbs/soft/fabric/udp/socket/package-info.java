/**
 * The UDP sockets of a device: those of Java, and those of Linux's C library, which send and receive many packets with
 * one call.
 */
package io.jverbs.soft.fabric.udp.socket;
