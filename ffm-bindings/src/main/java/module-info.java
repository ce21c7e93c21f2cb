/**
 * The raw layer under {@code io.jverbs}: libibverbs and librdmacm through {@code java.lang.foreign}.
 *
 * <p>It loads on a machine without these libraries: struct layouts and constants stand apart from the classes that
 * look symbols up.
 */
module io.jverbs.ffm {
    exports io.jverbs.ffm;
    exports io.jverbs.ffm.ibverbs;
}
