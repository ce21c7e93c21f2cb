/**
 * Execution of requests within the JVM: the posting thread copies the data and puts both completions. Rendering as
 * packets for capture is also here.
 */
package io.jverbs.soft.transport.local;
