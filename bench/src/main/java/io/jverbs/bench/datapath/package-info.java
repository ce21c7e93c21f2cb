/** The cost of data path calls by one thread. */
package io.jverbs.bench.datapath;
