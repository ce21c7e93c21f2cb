package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.control.PacketCapture;
import io.jverbs.fault.FaultInjection;
import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.SystemProperties;
import io.jverbs.strict.StrictMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each wrong selector and each wrong system property is refused with a sentence that has the part that is wrong, its
 * value, what is allowed, and the page that describes it.
 */
final class SelectorMessagesTest {
    private static final String LOCAL = "soft[:softN], N from 0 to 255, a device within this JVM";
    private static final String ADDRESS = "soft:A.B.C.D[?fabric=wire] or soft:[A:B::C][?fabric=wire], a device at an"
            + " IPv4 or IPv6 address of this machine, which also takes congestion=window|dcqcn";
    private static final String SIMULATED = "soft:simN[?seed=S], a device of a simulated network";
    private static final String KEYS = "soft:simN[?key=value{&key=value}], N from 0 to 255, keys: seed=INTEGER,"
            + " network=NAME, time=auto|stepped|real, loss=P, burst=BEGIN,END[,LOSS], duplicate=P, reorder=P,TIME,"
            + " corrupt=P, delay=TIME, jitter=TIME, bandwidth=RATE, mtu=BYTES, switch=RATE,BYTES, ecn=MIN,MAX[,P],"
            + " congestion=window|dcqcn; P, BEGIN, END and LOSS are probabilities from 0 to 1, a TIME is a number with"
            + " unit ns, us, ms or s, such as 5us, a RATE is a number with unit bit, kbit, Mbit or Gbit, such as"
            + " 10Gbit";
    /** What is allowed, and where it is described, by the word in the tables. */
    private static final Map<String, String> ALLOWED = Map.of(
            "any", "; the form is " + DeviceSelector.GRAMMAR + "; see docs/devices.md",
            "auto", "; the form is auto; see docs/devices.md",
            "local", "; the form is " + LOCAL + "; see docs/devices.md",
            "address", "; the form is " + ADDRESS + "; see docs/devices.md",
            "soft", "; the form is " + LOCAL + "; " + ADDRESS + "; " + SIMULATED + "; see docs/devices.md",
            "native", "; the form is native[:NAME], NAME as ibv_devices shows it; see docs/devices.md",
            "sim", "; the form is " + KEYS + "; see docs/testing.md");
    /** The properties that no device of this test reads, and the tests that give them wrong values. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            SystemProperties.SIM_SEED, "ReplayTest",
            SystemProperties.SOFT_CM_DIVISOR, "CmDurationsTest",
            SystemProperties.NIO_RDMA, "TransportRuleTest",
            SystemProperties.NIO_SPIN, "TransportRuleTest",
            SystemProperties.LIBIBVERBS, "ProbeProgramTest of ffm-bindings, and .ci/rxe-auto",
            SystemProperties.LIBRDMACM, "the same, as both libraries have one probe");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "``                          | any     | provider \"\" is empty",
        "so ft                       | any     | provider \"so ft\" is malformed",
        "soft:                       | any     | no target after \":\"",
        "soft:a b                    | any     | target \"a b\" is malformed",
        "soft:fe80::1                | any     | target \"fe80::1\" is malformed",
        "soft:[192.0.2.7]            | any     | target \"192.0.2.7\" is not an IPv6 address",
        "soft?seed                   | any     | option \"seed\" is not key=value",
        "soft?a=1&a=2                | any     | option \"a\" is given twice",
        "soft?a=                     | any     | value of option \"a\" \"\" is empty",
        "auto:soft0                  | auto    | auto takes neither a target nor options",
        "auto?seed=7                 | auto    | auto takes neither a target nor options",
        "native?fast=yes             | native  | unknown option \"fast\", as native devices take none",
        "soft:mlx5_0                 | soft    | target \"mlx5_0\" is not a software device",
        "soft:192.0.2.256            | soft    | target \"192.0.2.256\" is not a software device",
        "soft:localhost              | soft    | target \"localhost\" is not a software device",
        "soft:soft01                 | local   | target \"soft01\" is not a software device",
        "soft:soft1?seed=7           | local   | unknown option \"seed\", as a device within this JVM takes none",
        "soft?fabric=wire            | local   | unknown option \"fabric\", as a device within this JVM takes none",
        "soft:127.0.0.1?seed=7       | address | unknown option \"seed\"",
        "soft:127.0.0.1?fabric=udp   | address | option \"fabric\" is \"udp\", allowed is wire",
        "soft:127.0.0.1?congestion=no | address | option \"congestion\" is \"no\", allowed is window or dcqcn",
        "soft:sim?switch=1Gbit       | sim     | switch=1Gbit: not RATE,BYTES",
        "soft:sim?switch=9,9000      | sim     | switch=9,9000: not a rate such as 10Gbit, with unit bit, kbit, Mbit or"
                + " Gbit",
        "soft:sim?switch=9Mbit,9     | sim     | switch=9Mbit,9: buffer 9 is not from 1024 to 268435456 bytes",
        "soft:sim?switch=9bit,9999   | sim     | switch=9bit,9999: bandwidth 9 bits per second is not from 1000 to"
                + " 1000000000000",
        "soft:sim?switch=9Mbit,x     | sim     | switch=9Mbit,x: not a number from 1024 to 268435456 bytes",
        "soft:sim?ecn=1              | sim     | ecn=1: not MIN,MAX[,P]",
        "soft:sim?ecn=2,1            | sim     | ecn=2,1: not two lengths in bytes of which the second is not less, and"
                + " a probability from 0 to 1",
        "soft:sim?ecn=1,x            | sim     | ecn=1,x: not a number from 0 to 2147483647 bytes, and a probability"
                + " from 0 to 1",
        "soft:sim?congestion=no      | sim     | congestion=no: not one of window, dcqcn",
        "soft:[::ffff:127.0.0.1]     | address | target \"::ffff:127.0.0.1\" is the IPv4 address 127.0.0.1: use"
                + " soft:127.0.0.1",
        "soft:sim01                  | sim     | target \"sim01\" is not a simulated device; allowed are sim0 to"
                + " sim255, and sim for sim0",
        "soft:simple                 | sim     | target \"simple\" is not a simulated device; allowed are sim0 to"
                + " sim255, and sim for sim0",
        "soft:sim?seed=x             | sim     | seed=x: not a number from -9223372036854775808 to 9223372036854775807",
        "soft:sim?sead=7             | sim     | sead=7: unknown option",
        "soft:sim?network=a/b        | sim     | network=a/b: not a name of 1 to 64 letters, digits, _ . -",
        "soft:sim?time=fast          | sim     | time=fast: not one of auto, stepped, real",
        "soft:sim?loss=much          | sim     | loss=much: not a number from 0 to 1",
        "soft:sim?loss=2             | sim     | loss=2: loss 2.0 is not a probability from 0 to 1",
        "soft:sim?burst=0.1          | sim     | burst=0.1: not BEGIN,END[,LOSS]",
        "soft:sim?reorder=0.1        | sim     | reorder=0.1: not P,TIME",
        "soft:sim?reorder=x,5us      | sim     | reorder=x,5us: not a number from 0 to 1",
        "soft:sim?delay=5            | sim     | delay=5: not a time such as 5us, with unit ns, us, ms or s",
        "soft:sim?bandwidth=10       | sim     | bandwidth=10: not a rate such as 10Gbit, with unit bit, kbit, Mbit or"
                + " Gbit",
        "soft:sim?mtu=big            | sim     | mtu=big: not a number from 348 to 65535 bytes",
        "soft:sim?mtu=70000          | sim     | mtu=70000: mtu 70000 is not from 348 to 65535 bytes"})
    void aWrongSelectorIsRefusedWithThePartTheValueTheFormAndThePage(String selector, String allowed, String wrong) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> Verbs.select(selector));

        assertEquals("device selector \"" + selector + "\": " + wrong + ALLOWED.get(allowed), refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "soft:soft256 | local | there is no device \"soft256\"",
        "soft:sim256  | sim   | there is no device \"sim256\"",
        "hard         | any   | no provider \"hard\"; available: auto, native, soft (the software device is in the"
                + " artifact io.jverbs:jverbs-softdevice)"})
    void aSelectorOfNoDeviceIsRefusedWithEnodevAndTheDevicesThereAre(String selector, String allowed, String wrong) {
        VerbsException refusal = assertThrows(VerbsException.class, () -> Verbs.select(selector));

        assertEquals(Errno.ENODEV, refusal.error());
        assertEquals("device selector \"" + selector + "\": " + wrong + ALLOWED.get(allowed), refusal.explanation());
    }

    @Test
    void anAddressOfAnotherMachineIsRefusedWithTheAddressesOfThisOne() {
        VerbsException refusal = assertThrows(VerbsException.class, () -> Verbs.open("soft:192.0.2.7"));

        assertTrue(refusal.explanation().startsWith("192.0.2.7 is not an address of this machine; its IPv4 addresses"
                + " are [") && refusal.explanation().endsWith("; see docs/devices.md"), refusal::explanation);
    }

    /** A wrong value of a property, the device whose opening reads it, and the sentence after the property's name. */
    private enum WrongProperty {
        DEVICE_FORM(SystemProperties.DEVICE, "soft:[x", null,
                ": device selector \"soft:[x\": target \"[x\" is malformed" + ALLOWED.get("any")),
        DEVICE_EMPTY(SystemProperties.DEVICE, "", null,
                ": device selector \"\": provider \"\" is empty" + ALLOWED.get("any")),
        DEVICE_ABSENT(SystemProperties.DEVICE, "soft:soft256", null,
                ": device selector \"soft:soft256\": there is no device \"soft256\"" + ALLOWED.get("local")),
        FAULT(SystemProperties.FAULT, "post=ENOMEM,nth=x", "soft",
                ": \"nth=x\" in fault rule \"post=ENOMEM,nth=x\": the value must be a number from 0 to "
                        + Long.MAX_VALUE + "; the form is " + FaultInjection.GRAMMAR + "; see docs/fault-injection.md"),
        FAULT_EMPTY(SystemProperties.FAULT, "", "soft", ": \"\" in fault rule \"\": unknown fault; the form is "
                + FaultInjection.GRAMMAR + "; see docs/fault-injection.md"),
        STRICT(SystemProperties.STRICT, "on", "soft",
                "=on: allowed are " + StrictMode.GRAMMAR + "; see docs/strict-mode.md"),
        STRICT_EMPTY(SystemProperties.STRICT, "", "soft",
                "=: allowed are " + StrictMode.GRAMMAR + "; see docs/strict-mode.md"),
        CAPTURE(SystemProperties.CAPTURE, "a.pcapng?ring=many", "soft:soft201",
                ": capture \"a.pcapng?ring=many\": ring=many is not a number from 1 to 1000000; the form is "
                        + PacketCapture.GRAMMAR + "; see docs/observability.md"),
        CAPTURE_EMPTY(SystemProperties.CAPTURE, "", "soft:soft201", ": capture \"\": the file name is missing; the form"
                + " is " + PacketCapture.GRAMMAR + "; see docs/observability.md"),
        SOFT_UDP(SystemProperties.SOFT_UDP, "epoll", "soft:" + LoopbackAddress.next(),
                "=epoll: allowed are auto, nio, linux; see docs/devices.md"),
        SOFT_UDP_EMPTY(SystemProperties.SOFT_UDP, "", "soft:" + LoopbackAddress.next(),
                "=: allowed are auto, nio, linux; see docs/devices.md"),
        SOFT_CONGESTION(SystemProperties.SOFT_CONGESTION, "none", "soft:" + LoopbackAddress.next(),
                "=none: allowed are window, dcqcn; see docs/devices.md");

        private final String name;
        private final String value;
        /** Null for the device that the property selects. */
        private final String device;
        private final String sentence;

        WrongProperty(String name, String value, String device, String sentence) {
            this.name = name;
            this.value = value;
            this.device = device;
            this.sentence = sentence;
        }

        private void open() {
            if (device == null) {
                Verbs.open().close();
            } else {
                Verbs.open(device).close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongValueOfAPropertyIsRefusedWithTheNameThePartWhatIsAllowedAndThePage(WrongProperty wrong) {
        RuntimeException refusal = refusal(wrong.name, wrong.value, wrong::open);

        assertEquals("system property " + wrong.name + wrong.sentence,
                refusal instanceof VerbsException verbs ? verbs.explanation() : refusal.getMessage());
    }

    private static RuntimeException refusal(String name, String value, Runnable open) {
        return TemporaryProperties.with(Map.of(name, value), () -> assertThrows(RuntimeException.class, open::run));
    }

    @Test
    void aCaptureIntoADirectoryIsRefusedWithTheNameOfTheProperty() {
        RuntimeException refusal = refusal(PacketCapture.PROPERTY, folder.toString(),
                () -> Verbs.open("soft:soft201").close());

        assertEquals("capture: EISDIR (21): system property jverbs.capture: " + folder + " cannot be written: it is a"
                + " directory; name a file in it; the form is " + PacketCapture.GRAMMAR + "; see docs/observability.md",
                refusal.getMessage());
    }

    @Test
    void everyPropertyIsGivenAWrongValueByATest() {
        Set<String> tried = Stream
                .concat(Arrays.stream(WrongProperty.values()).map(wrong -> wrong.name), ELSEWHERE.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(new TreeSet<>(SystemProperties.described().keySet()), tried);
    }

    @Test
    void everyPropertyThatTheLibrariesReadIsNamedInOnePlaceAndDescribedOnItsPage() throws IOException {
        Set<String> read = new TreeSet<>();
        for (String module : Set.of("ffm-bindings", "jverbs", "softdevice")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    Pattern.compile("\"(jverbs\\.[A-Za-z.]+)\"").matcher(Files.readString(file)).results()
                            .forEach(match -> read.add(match.group(1)));
                }
            }
        }

        assertEquals(new TreeSet<>(SystemProperties.described().keySet()), read);
        for (Map.Entry<String, String> each : SystemProperties.described().entrySet()) {
            assertTrue(Files.readString(Path.of("..", each.getValue())).contains(each.getKey()), each::toString);
        }
    }
}
