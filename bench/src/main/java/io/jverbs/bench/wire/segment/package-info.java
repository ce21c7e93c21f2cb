/** A UDP socket of Linux with segmentation offload, and the checksums of the segments. */
package io.jverbs.bench.wire.segment;
