/** Sample programs. {@link io.jverbs.samples.Samples} runs one by its name. */
package io.jverbs.samples;
