package io.jverbs.soft.injection;

import io.jverbs.injection.InstrumentedClasses;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Throws an Error at each injection point of the connection manager. */
final class InjectedConnectionsTest {

    @ParameterizedTest
    @CsvSource({"soft:soft8, TCP", "soft:soft8, UDP"})
    @Timeout(300)
    void anErrorInTheConnectionManagerLeaksNothingAndOtherConnectionsAreEstablished(String selector, String space)
            throws Exception {
        InstrumentedClasses instrumented = SoftClasses.connections();
        try (AutoCloseable connections = instrumented.open(InjectedConnections.class, selector, space)) {
            InstrumentedClasses.Outcome outcome = instrumented.errorAtEachPoint((IntFunction<?>) connections);
            System.out.println("Errors were injected at " + outcome.points().cardinality()
                    + " points of connections in port space " + space);
            outcome.check(100);
        }
    }

    @Test
    @Timeout(600)
    void anErrorInAConnectionOfEndpointsLeaksNothingAndOtherEndpointsExchangeMessages() throws Exception {
        InstrumentedClasses instrumented = SoftClasses.endpoints();
        try (AutoCloseable endpoints = instrumented.open(InjectedEndpoints.class, "soft:soft9")) {
            InstrumentedClasses.Outcome outcome = instrumented.errorAtEachPoint((IntFunction<?>) endpoints);
            System.out.println(
                    "Errors were injected at " + outcome.points().cardinality()
                            + " points of connections of endpoints");
            outcome.check(100);
        }
    }
}
