package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.PortTable.Binding;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which CM IDs may be bound to one port, and which one a request arrives at. */
final class PortTableTest {
    private static final int TCP = 0x0106;
    private static final int UDP = 0x0111;
    private static final int PORT = 7471;

    private final PortTable ports = new PortTable(new Random(1));

    private static InetAddress address(String text) throws UnknownHostException {
        return text.equals("any") || text.equals("any6") ? null : InetAddress.getByName(text);
    }

    /** Binds; the options are letters: r for reuse of addresses, f for one family only. */
    private Binding bind(String address, String options) throws UnknownHostException {
        boolean ipv6 = address.equals("any6") || address.contains(":");
        return ports.bind(TCP, address(address), ipv6, PORT, options.contains("r"), options.contains("f"));
    }

    private static Errno errno(Runnable task) {
        return assertThrows(VerbsException.class, task::run).error();
    }

    /** K49, K68, K69: the columns are the address and options of the first and of the second ID, and the errno. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            192.0.2.1, -, 192.0.2.1, -, EADDRINUSE
            192.0.2.1, -, 192.0.2.2, -,
            any,       -, 192.0.2.1, -, EADDRNOTAVAIL
            192.0.2.1, -, any,       -, EADDRNOTAVAIL
            any,       -, any,       -, EADDRNOTAVAIL
            192.0.2.1, r, 192.0.2.1, r,
            192.0.2.1, r, 192.0.2.1, -, EADDRINUSE
            192.0.2.1, -, 192.0.2.1, r, EADDRINUSE
            any,       r, any,       r,
            any,       f, any6,      f,
            any,       f, any6,      -, EADDRNOTAVAIL
            any,       f, ::1,       f,
            """)
    void aPortInUseIsRefusedUnlessBothIdsAllowIt(String first, String firstOptions, String second,
            String secondOptions, Errno expected) throws UnknownHostException {
        bind(first, firstOptions);
        if (expected == null) {
            bind(second, secondOptions);
        } else {
            assertEquals(expected, errno(() -> assertBinds(second, secondOptions)));
        }
    }

    private void assertBinds(String address, String options) {
        try {
            bind(address, options);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** K64. */
    @Test
    void portSpacesAreSeparate() throws UnknownHostException {
        bind("any", "-");
        assertEquals(PORT, ports.bind(UDP, null, false, PORT, false, false).port());
    }

    /** K65. */
    @Test
    void port0IsAFreeEphemeralPortAndNotTheLatestOne() {
        int latest = 0;
        for (int i = 0; i < 1000; i++) {
            Binding binding = ports.bind(TCP, null, false, 0, false, false);
            assertTrue(binding.port() >= 32768 && binding.port() <= 60999, () -> "port " + binding.port());
            assertNotEquals(latest, binding.port());
            latest = binding.port();
            ports.unbind(binding);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1", "65536"})
    void aPortOutsideTheRangeIsRefused(int port) {
        assertEquals(Errno.EINVAL, errno(() -> ports.bind(TCP, null, false, port, false, false)));
    }

    /** K66. */
    @Test
    void aPortIsFreeAgainOnceItsIdIsDestroyed() throws UnknownHostException {
        ports.unbind(bind("any", "-"));
        bind("any", "-");
    }

    /** K68. */
    @Test
    void anIdListensOnlyIfItIsTheOnlyOneOfItsPortAndThenExcludesOthers() throws UnknownHostException {
        Binding first = bind("192.0.2.1", "r");
        Binding second = bind("192.0.2.1", "r");
        assertEquals(Errno.EADDRINUSE, errno(() -> ports.listen(first)));
        assertTrue(!first.isListening());
        ports.unbind(second);
        ports.listen(first);
        VerbsException refusal = assertThrows(VerbsException.class, () -> assertBinds("192.0.2.1", "r"));
        assertEquals("bind_addr: EADDRINUSE (98): port " + PORT + " is in use at 192.0.2.1:"
                + " use another port or address", refusal.getMessage(), "the option does not help");
        ports.unbind(first);
        bind("192.0.2.1", "r");
        refusal = assertThrows(VerbsException.class, () -> assertBinds("192.0.2.1", "-"));
        assertTrue(refusal.getMessage().endsWith("or set the option to reuse addresses on both IDs"),
                refusal::getMessage);
    }

    /** K47, K54, K87, K88: the columns are a listener's address and options, a destination, and whether it fits. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            192.0.2.1, -, 192.0.2.1, true
            192.0.2.1, -, 192.0.2.2, false
            any,       f, 192.0.2.2, true
            any,       f, 2001:db8::1, false
            any6,      -, 192.0.2.2, true
            any6,      f, 192.0.2.2, false
            any6,      f, 2001:db8::1, true
            2001:db8::1, -, 2001:db8::1, true
            """)
    void aRequestArrivesAtTheListenerOfItsDestination(String listener, String options, String destination,
            boolean fits) throws UnknownHostException {
        Binding binding = bind(listener, options);
        assertNull(ports.find(TCP, PORT, address(destination)), "there is no listener");
        ports.listen(binding);
        assertSame(fits ? binding : null, ports.find(TCP, PORT, address(destination)));
        assertNull(ports.find(TCP, PORT + 1, address(destination)));
        assertNull(ports.find(UDP, PORT, address(destination)));
    }
}
