package io.jverbs.soft.injection;

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
        SoftClasses.connections().errorAtEachPoint(InjectedConnections.class, selector, space)
                .report("connections in port space " + space).check(100);
    }

    @Test
    @Timeout(600)
    void anErrorInAConnectionOfEndpointsLeaksNothingAndOtherEndpointsExchangeMessages() throws Exception {
        SoftClasses.endpoints().errorAtEachPoint(InjectedEndpoints.class, "soft:soft9")
                .report("connections of endpoints").check(100);
    }
}
