/** Sequences of verbs calls, legal and illegal ones, and their generation from a seed. */
package io.jverbs.contract.differential.sequence;
