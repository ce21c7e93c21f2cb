/**
 * What strict mode tracks of the memory of a context: the registered regions and their keys, the memory windows, which
 * memory others than the program may write, and the payloads of outstanding requests. The classes only record. The
 * package {@code io.jverbs.strict} makes the checks and the reports.
 */
package io.jverbs.strict.tracking;
