/** The calls of the native device on a driver that works in memory, compared with C. */
package io.jverbs.bench.nativedevice;
