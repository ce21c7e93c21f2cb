/** The cost of many queue pairs, many memory regions, and a second thread. */
package io.jverbs.bench.scaling;
