/**
 * RDMA verbs for Java. Start at {@link io.jverbs.Verbs}; the names are those of libibverbs without {@code ibv_}.
 *
 * <p>
 * The control path ({@link io.jverbs.RdmaContext}, {@link io.jverbs.ProtectionDomain}, ...) is made of immutable attributes
 * and unchecked {@link io.jverbs.VerbsException}s that say what to do. The data path ({@link io.jverbs.SendWorkRequest},
 * {@link io.jverbs.ReceiveWorkRequest}, {@link io.jverbs.WorkCompletions}) lies outside the heap in the layout of the C
 * structures and allocates nothing.
 */
package io.jverbs;
