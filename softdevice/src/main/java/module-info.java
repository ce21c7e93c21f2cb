/**
 * The software device: the verbs of {@code io.jverbs} in pure Java, with nothing to install. Only {@code io.jverbs.soft.linux}
 * makes restricted calls, and only where native access is enabled.
 *
 * <p>Programs reach it through {@link io.jverbs.Verbs} alone. It exports an extension for their tests; JUnit, which that needs, is not
 * needed otherwise.
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
