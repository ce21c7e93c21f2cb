/** Contract tests of shared receive queues (part I of the catalogue). */
package io.jverbs.contract.srq;
