/**
 * The fabric over UDP: sockets of Java and of Linux, the engine that receives, and routes. No package above this one
 * uses sockets; {@code soft.linux} contains the system calls.
 */
package io.jverbs.soft.fabric.udp;
