/**
 * The connection manager of native devices: IDs and event channels of librdmacm, which {@code io.jverbs.ffm} calls.
 *
 * <p>
 * The IDs have no queue pairs. A queue pair belongs to the context of the program, whereas librdmacm opens the device
 * for itself; the kernel gets only the number of the queue pair, and {@code io.jverbs.cm} moves it to its states.
 */
package io.jverbs.ibverbs.rdmacm;
