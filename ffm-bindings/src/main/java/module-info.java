/**
 * The raw bindings below {@code io.jverbs}: libibverbs and librdmacm through {@code java.lang.foreign}.
 *
 * <p>
 * The module loads on a machine without these libraries, because struct layouts and constants are separate from the
 * classes that look up symbols.
 */
module io.jverbs.ffm {
    exports io.jverbs.ffm;
    exports io.jverbs.ffm.ibverbs;
}
