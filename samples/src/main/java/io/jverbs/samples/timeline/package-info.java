/** {@code samples/run timeline}: the queue pair events of a Java Flight Recorder recording as a timeline. */
package io.jverbs.samples.timeline;
