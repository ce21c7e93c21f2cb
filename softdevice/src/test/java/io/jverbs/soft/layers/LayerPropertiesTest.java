package io.jverbs.soft.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.Verbs;
import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what all contexts of a JVM share: the system properties that enable layers, and the log. */
final class LayerPropertiesTest {
    @RegisterExtension
    final CapturedLog log = CapturedLog.of(FaultInjection.class);

    @Test
    void theLogWarnsOnceOfActiveFaultInjectionAndOfRulesThatNeverFired() {
        try (LayeredPair pair = new LayeredPair(
                FaultInjection.of(FaultRule.failSend(Errno.EIO).nth(1), FaultRule.failSend(Errno.EIO).nth(5)))) {
            pair.sender.tryPostSend(pair.write(1, 0));
            pair.sender.tryPostSend(pair.write(2, 0));
        }
        assertEquals(List.of("WARN Fault injection is active on device soft0: post=EIO,nth=1;post=EIO,nth=5",
                "WARN Fault rule post=EIO,nth=5 never fired; it matched 1 operations"),
                log.events().stream().map(event -> event.getLevel() + " " + event.getFormattedMessage()).toList());
    }

    @Test
    void theFaultPropertyAppliesToEachContextAndIsRejectedIfMalformed() {
        System.setProperty(FaultInjection.PROPERTY, "post=ENOMEM,nth=1");
        try {
            for (int i = 0; i < 2; i++) {
                try (LayeredPair pair = new LayeredPair()) {
                    assertEquals(Errno.ENOMEM.code(), pair.sender.tryPostSend(pair.write(1, 0)),
                            "the first post of each context fails");
                    assertEquals(1,
                            pair.context.capability(FaultInjection.class).orElseThrow().hits().getFirst().fired());
                }
            }
            try (LayeredPair pair = new LayeredPair(FaultInjection.of())) {
                assertEquals(0, pair.sender.tryPostSend(pair.write(1, 0)),
                        "the program's layer replaces that of the property");
            }
            System.setProperty(FaultInjection.PROPERTY, "post=ENOMEN");
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Verbs.open("soft"));
            assertTrue(refused.getMessage().startsWith("system property jverbs.fault: \"post=ENOMEN\" in fault rule")
                    && refused.getMessage().contains(FaultInjection.GRAMMAR), refused::getMessage);
        } finally {
            System.clearProperty(FaultInjection.PROPERTY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "throw"})
    void theStrictPropertyEnablesStrictMode(String value) {
        System.setProperty(StrictMode.PROPERTY, value);
        try (LayeredPair pair = new LayeredPair()) {
            pair.reconnectSender(14, 7, 0);
            boolean thrown = false;
            try {
                pair.sender.postSend(pair.send(1));
            } catch (StrictViolationException e) {
                thrown = true;
            }
            assertEquals(value.equals("throw"), thrown);
            assertEquals(Kind.NO_RECEIVE_POSTED, pair.context.capability(StrictMode.class).orElseThrow().violations()
                    .getFirst().kind());
        } finally {
            System.clearProperty(StrictMode.PROPERTY);
        }
    }

    @Test
    void anUnknownValueOfTheStrictPropertyIsRejected() {
        System.setProperty(StrictMode.PROPERTY, "yes");
        try {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Verbs.open("soft"));
            assertEquals("system property jverbs.strict=yes: allowed are " + StrictMode.GRAMMAR
                    + "; see docs/strict-mode.md",
                    refused.getMessage());
        } finally {
            System.clearProperty(StrictMode.PROPERTY);
        }
    }
}
