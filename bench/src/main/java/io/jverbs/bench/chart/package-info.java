/** Draws results as SVG pictures for the documents: latency by load and bandwidth by size. */
package io.jverbs.bench.chart;
