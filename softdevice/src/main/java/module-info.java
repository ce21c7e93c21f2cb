/**
 * The software device: the verbs of {@code io.jverbs} in pure Java, with nothing to install. Only {@code io.jverbs.soft.linux}
 * makes restricted calls, and only where native access is enabled.
 *
 * <p>It exports nothing: programs reach it through {@link io.jverbs.Verbs} alone.
 */
module io.jverbs.soft {
    requires io.jverbs;
    requires static jdk.jfr;
    requires jdk.net;
    requires org.slf4j;

    provides io.jverbs.spi.VerbsProvider with io.jverbs.soft.SoftProvider;
}
