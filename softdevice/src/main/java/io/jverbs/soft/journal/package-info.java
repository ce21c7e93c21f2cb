/** What Java Flight Recorder is told of queue pairs, when somebody records. */
package io.jverbs.soft.journal;
