/** What devices record for Java Flight Recorder. Programs that only use verbs do not need this package. */
package io.jverbs.spi.journal;
