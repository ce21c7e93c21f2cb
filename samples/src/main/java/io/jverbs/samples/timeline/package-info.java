/** {@code samples/run timeline}: what a recording of Java Flight Recorder tells of queue pairs, along the time. */
package io.jverbs.samples.timeline;
