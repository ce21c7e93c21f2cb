/** What the JVMs in the virtual machine load, loaded before it starts. */
package io.jverbs.samples.interop.training;
