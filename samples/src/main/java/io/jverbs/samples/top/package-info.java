/** {@code samples/run top}: a live view of the devices and queue pairs of this or another process. */
package io.jverbs.samples.top;
