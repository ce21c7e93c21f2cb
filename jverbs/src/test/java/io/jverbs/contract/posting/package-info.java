/** Contract tests of the posting of work requests, and their execution in order (part E of the catalogue). */
package io.jverbs.contract.posting;
