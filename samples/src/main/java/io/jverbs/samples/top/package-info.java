/** {@code samples/run top}: a live screen of the devices and queue pairs of a program, this one or another. */
package io.jverbs.samples.top;
