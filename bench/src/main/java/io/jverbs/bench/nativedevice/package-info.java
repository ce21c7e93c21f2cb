/** The native device on a driver that does its work in memory, beside C. */
package io.jverbs.bench.nativedevice;
