/** What the programs of rdmacm-utils with several IDs share: each ID is a node with a queue pair and a buffer. */
package io.jverbs.samples.nodes;
