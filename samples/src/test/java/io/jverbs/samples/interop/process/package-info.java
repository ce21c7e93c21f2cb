/**
 * The processes and threads of the tests with C programs: a program, a sample in a thread or in another JVM, how it
 * ended, and the settings of all of them.
 */
package io.jverbs.samples.interop.process;
