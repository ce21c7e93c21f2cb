/**
 * The calls of Linux's C library that send or receive many packets with one call. They are used only if native access
 * is enabled.
 */
package io.jverbs.soft.linux;
