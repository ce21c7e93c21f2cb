/**
 * The fabric over UDP: sockets of Java and of Linux, the engine that receives, and routes. All knowledge of sockets is
 * here.
 */
package io.jverbs.soft.fabric.udp;
