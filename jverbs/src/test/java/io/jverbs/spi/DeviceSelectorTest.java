package io.jverbs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSelectorTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "auto | auto | ''",
        "native | native | ''",
        "native:mlx5_0 | native | mlx5_0",
        "soft:soft255 | soft | soft255",
        "soft:192.0.2.7 | soft | 192.0.2.7",
        "soft:[2001:db8::7] | soft | 2001:db8::7",
        "soft:[fe80::1%eth0] | soft | fe80::1%eth0",
        "my-provider_2:a/b@c,d | my-provider_2 | a/b@c,d"})
    void providerAndTargetAreParsed(String text, String provider, String target) {
        assertEquals(new DeviceSelector(provider, target, Map.of()), DeviceSelector.parse(text));
    }

    @Test
    void optionsKeepTheirOrder() {
        DeviceSelector selector = DeviceSelector.parse("soft:sim?seed=7&loss=0.01&a.b-c_d=x:[y]/z");

        assertEquals("sim", selector.target());
        assertEquals(List.of("seed", "loss", "a.b-c_d"), List.copyOf(selector.options().keySet()));
        assertEquals(List.of("7", "0.01", "x:[y]/z"), List.copyOf(selector.options().values()));
    }

    @Test
    void optionsNeedNoTarget() {
        assertEquals(new DeviceSelector("soft", "", Map.of("fabric", "udp")), DeviceSelector.parse("soft?fabric=udp"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "native:mlx5_0", "soft:[::1]", "soft:127.0.0.1?fabric=udp", "soft?z=1&a=2",
        "soft:[fe80::1%eth0]?seed=7&seed2=8"})
    void printedSelectorEqualsTheParsedText(String text) {
        assertEquals(text, DeviceSelector.parse(text).toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "'' | provider \"\" is empty",
        ":soft0 | provider \"\" is empty",
        "?a=b | provider \"\" is empty",
        "' soft' | provider \" soft\" is malformed",
        "1soft | provider \"1soft\" is malformed",
        "so=ft | provider \"so=ft\" is malformed",
        "soft: | no target after \":\"",
        "soft:?a=b | no target after \":\"",
        "soft:a b | target \"a b\" is malformed",
        "soft:a:b | target \"a:b\" is malformed",
        "soft:fe80::1 | target \"fe80::1\" is malformed",
        "soft:[fe80::1 | target \"[fe80::1\" is malformed",
        "soft:fe80::1] | target \"fe80::1]\" is malformed",
        "soft:[fe80::1]:4791 | target \"[fe80::1]:4791\" is malformed",
        "soft:[] | target \"\" is not an IPv6 address",
        "soft:[192.0.2.7] | target \"192.0.2.7\" is not an IPv6 address",
        "soft:[fe80:::1] | \"fe80:::1\" is neither",
        "soft:[fe80::1%] | \"fe80::1%\" is neither",
        "soft? | option \"\" is not key=value",
        "soft?seed | option \"seed\" is not key=value",
        "soft?a=1& | option \"\" is not key=value",
        "soft?a=1&&b=2 | option \"\" is not key=value",
        "soft?=7 | option \"\" is empty",
        "soft?se ed=7 | option \"se ed\" is malformed",
        "soft?seed= | value of option \"seed\" \"\" is empty",
        "soft?seed=7=8 | value of option \"seed\" \"7=8\" is malformed",
        "soft?seed=7?loss=1 | value of option \"seed\" \"7?loss=1\" is malformed",
        "soft?seed=7 8 | value of option \"seed\" \"7 8\" is malformed",
        "soft?seed=7&seed=7 | option \"seed\" is given twice"})
    void badSelectorIsRefusedNamingThePartAndTheGrammar(String text, String complaint) {
        String message = assertThrows(IllegalArgumentException.class, () -> DeviceSelector.parse(text)).getMessage();

        assertEquals("device selector \"" + text + "\": " + complaint,
                message.substring(0, Math.min(message.length(), 20 + text.length() + complaint.length())));
        assertTrue(message.endsWith("provider[:target][?key=value{&key=value}], an IPv6 target in brackets; see"
                + " docs/devices.md"),
                message);
    }

    @Test
    void lineBreaksAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> DeviceSelector.parse("soft\n"));
        assertThrows(IllegalArgumentException.class, () -> DeviceSelector.parse("soft:soft0\n"));
        assertThrows(IllegalArgumentException.class, () -> DeviceSelector.parse("soft?a=b\nc"));
    }

    @Test
    void partsThatCannotBeParsedBackAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new DeviceSelector("a:b", "", Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new DeviceSelector("soft", "a?b", Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new DeviceSelector("soft", "a:b", Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new DeviceSelector("soft", "", Map.of("a&b", "c")));
        assertThrows(IllegalArgumentException.class, () -> new DeviceSelector("soft", "", Map.of("a", "b&c")));
    }

    @Test
    void optionsAreCopiedAndUnmodifiable() {
        Map<String, String> options = new LinkedHashMap<>(Map.of("seed", "7"));
        DeviceSelector selector = new DeviceSelector("soft", "", options);
        options.put("loss", "1");

        assertEquals(Map.of("seed", "7"), selector.options());
        assertThrows(UnsupportedOperationException.class, () -> selector.options().put("loss", "1"));
    }
}
