/** Measures what queue pairs cost while they do nothing. */
package io.jverbs.samples.memory;
