/** Programs to run and to learn from. {@link io.jverbs.samples.Samples} starts one by its name. */
package io.jverbs.samples;
