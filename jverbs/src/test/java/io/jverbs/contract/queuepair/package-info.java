/** Contract tests of queue pairs: creation, transitions, states, errors and destinations (part D of the catalogue). */
package io.jverbs.contract.queuepair;
