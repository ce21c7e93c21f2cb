/** What one thread pays for the calls of the data path. */
package io.jverbs.bench.datapath;
