/**
 * RDMA verbs for Java: the API, the connection manager, endpoints, the service provider interface for devices, the
 * native device over libibverbs, the control of devices by tests and tools, fault injection and strict mode.
 *
 * <p>
 * {@link io.jverbs.Verbs} is the entry point. Devices are found with {@link java.util.ServiceLoader}.
 */
module io.jverbs {
    requires io.jverbs.ffm;
    // only io.jverbs.control.Devices uses it; the class is loaded on demand
    requires static java.management;
    // only io.jverbs.spi.journal and io.jverbs.rsocket.journal use it, if the JVM has it
    requires static jdk.jfr;
    requires org.slf4j;

    exports io.jverbs;
    exports io.jverbs.cm;
    exports io.jverbs.control;
    exports io.jverbs.endpoint;
    exports io.jverbs.fault;
    exports io.jverbs.nio;
    exports io.jverbs.rsocket;
    exports io.jverbs.rsocket.datagram;
    exports io.jverbs.spi;
    exports io.jverbs.spi.journal;
    exports io.jverbs.spi.wait;
    exports io.jverbs.strict;

    uses io.jverbs.spi.LayerSource;
    uses io.jverbs.spi.VerbsProvider;

    provides io.jverbs.spi.LayerSource with io.jverbs.fault.FaultInjection.Source, io.jverbs.strict.StrictModeSource;

    provides io.jverbs.spi.VerbsProvider with io.jverbs.ibverbs.NativeProvider;
}
