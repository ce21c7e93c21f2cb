/** Contract tests of completion queues, their events, and signaled requests (part C of the catalogue). */
package io.jverbs.contract.completion;
