/**
 * The native device: verbs through libibverbs, by way of {@code io.jverbs.ffm}. Nothing here is part of the API.
 *
 * <p>
 * The driver is asked first and its answer stands; what it refuses is then explained by the rules that {@code io.jverbs} knows.
 * Only what libibverbs would crash on, or cut off to the width of a field, is refused before.
 */
package io.jverbs.ibverbs;
