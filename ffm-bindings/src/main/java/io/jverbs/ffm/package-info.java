/**
 * libibverbs as C programs see it: exported functions with their errno, the verbs that {@code infiniband/verbs.h}
 * defines as {@code static inline}, and the fields of what they return.
 *
 * <p>{@link io.jverbs.ffm.NativeLibrary#ibverbs()} says whether and why not the library can be used; nothing else here
 * may be called where it cannot.
 *
 * <p><b>Conventions.</b> An object that the library made ({@code struct ibv_qp *} and its like) is a {@code long}, its
 * address; 0 is {@code NULL}. A struct or buffer that the caller owns is a
 * {@link java.lang.foreign.MemorySegment MemorySegment}: it must be native, stays alive during the call, and {@code
 * MemorySegment.NULL} is {@code NULL}. A verb that C declares as {@code int} returns 0 or the errno, whichever way the
 * C function reports it. A verb that returns a pointer returns the address, or the errno as a negative number. A
 * function that the loaded library or the device's driver does not have fails with {@code EOPNOTSUPP} (95), as in C.
 *
 * <p><b>This is a raw layer.</b> An address that is not what the method asks for crashes the JVM, as in C. Layout
 * classes are in {@link io.jverbs.ffm.ibverbs}; fields that stand behind a {@code pthread_mutex_t} have to be read
 * through {@link io.jverbs.ffm.Abi}, because the generated offsets are those of x86-64.
 *
 * <p>All restricted methods of {@code java.lang.foreign} are called by this module, so it is the only one that {@code
 * --enable-native-access} has to name.
 */
package io.jverbs.ffm;
