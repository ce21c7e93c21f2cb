/**
 * The software device: a pure-Java implementation of the verbs in {@code io.jverbs}. It requires no installation. Only
 * the package {@code io.jverbs.soft.linux} calls restricted methods, and only if native access is enabled.
 *
 * <p>
 * Programs use it through {@link io.jverbs.Verbs}. The only exported package, {@link io.jverbs.testing}, contains a
 * JUnit Jupiter extension for tests. JUnit is required for that package only.
 */
module io.jverbs.soft {
    requires io.jverbs;
    requires static jdk.jfr;
    requires jdk.net;
    requires org.slf4j;
    requires static transitive org.junit.jupiter.api;

    exports io.jverbs.testing;

    provides io.jverbs.spi.VerbsProvider with io.jverbs.soft.SoftProvider;
}
