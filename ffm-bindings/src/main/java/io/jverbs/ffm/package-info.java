/**
 * libibverbs and librdmacm as C programs see them: the exported functions with their errno, the verbs that {@code
 * infiniband/verbs.h} defines as {@code static inline}, and the fields of the structs that they return.
 *
 * <p>
 * {@link io.jverbs.ffm.NativeLibrary#ibverbs()} says whether libibverbs can be used, and if not, why. Nothing else in
 * this package may be called if it cannot be used. {@link io.jverbs.ffm.NativeLibrary#rdmacm()} says it of librdmacm,
 * which {@link io.jverbs.ffm.ConnectionCalls} calls.
 *
 * <p>
 * <b>Conventions.</b> An object that the library created ({@code struct ibv_qp *} and the like) is a {@code long}, its
 * address; 0 is {@code NULL}. A struct or a buffer that the caller owns is a {@link java.lang.foreign.MemorySegment
 * MemorySegment}: it must be native and stay alive during the call; {@code MemorySegment.NULL} is {@code NULL}. A verb
 * that C declares as {@code int} returns 0 or the errno, in whichever way the C function reports it. A verb that
 * returns a pointer returns the address, or the errno as a negative number. A function that the loaded library or the
 * driver of the device does not have fails with {@code EOPNOTSUPP} (95), as in C.
 *
 * <p>
 * <b>Threading.</b> Any thread may call any function, as far as the man page of the verb allows it. A call blocks the
 * carrier of a virtual thread while it is in native code.
 *
 * <p>
 * <b>Safety.</b> An address that is not what the method requires crashes the JVM, as in C. The layout classes are in
 * {@link io.jverbs.ffm.ibverbs}. Fields after a {@code pthread_mutex_t} must be read through {@link
 * io.jverbs.ffm.Abi}, because the generated offsets are those of x86-64.
 *
 * <p>
 * Only this module calls the restricted methods of {@code java.lang.foreign}, so it is the only module that {@code
 * --enable-native-access} must name.
 */
package io.jverbs.ffm;
