/**
 * The native device: verbs through libibverbs, which {@code io.jverbs.ffm} calls. This package is not part of the API.
 *
 * <p>
 * An operation calls the driver first, and the result of the driver counts. If the driver refuses it, the rules that
 * {@code io.jverbs} knows explain the errno. Only arguments that would crash libibverbs, or that the field of a struct
 * would truncate, are refused before the call.
 */
package io.jverbs.ibverbs;
