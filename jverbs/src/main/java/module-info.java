/**
 * RDMA verbs for Java: the API, the interface that devices implement, and what tests and tools steer a device with.
 *
 * <p>{@link io.jverbs.Verbs} is where a program begins. Devices are found through {@link java.util.ServiceLoader}.
 */
module io.jverbs {
    requires io.jverbs.ffm;
    // for io.jverbs.control.Devices alone, which nobody loads who does not ask for it
    requires static java.management;
    requires org.slf4j;

    exports io.jverbs;
    exports io.jverbs.control;
    exports io.jverbs.fault;
    exports io.jverbs.spi;
    exports io.jverbs.strict;

    uses io.jverbs.spi.LayerSource;
    uses io.jverbs.spi.VerbsProvider;

    provides io.jverbs.spi.LayerSource with io.jverbs.fault.ConfiguredFaults, io.jverbs.strict.ConfiguredStrictness;

    provides io.jverbs.spi.VerbsProvider with io.jverbs.ibverbs.NativeProvider;
}
