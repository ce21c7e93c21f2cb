/** What many queue pairs, many regions, and a second thread cost. */
package io.jverbs.bench.scaling;
