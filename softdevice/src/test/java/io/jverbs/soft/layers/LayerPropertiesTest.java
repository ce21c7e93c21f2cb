package io.jverbs.soft.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.jverbs.Errno;
import io.jverbs.Verbs;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What all contexts of a JVM share: the properties that put layers before them, and the log. */
final class LayerPropertiesTest {
    @Test
    void theLogWarnsOnceThatFaultsAreOnAndOfRulesThatTestedNothing() {
        Logger logger = (Logger) LoggerFactory.getLogger(FaultInjection.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try (LayeredPair pair = new LayeredPair(
                FaultInjection.of(FaultRule.failSend(Errno.EIO).nth(1), FaultRule.failSend(Errno.EIO).nth(5)))) {
            pair.sender.tryPostSend(pair.write(1, 0));
            pair.sender.tryPostSend(pair.write(2, 0));
        } finally {
            logger.detachAppender(log);
        }
        assertEquals(List.of("WARN Faults are injected into what soft0 does: post=EIO,nth=1;post=EIO,nth=5",
                "WARN Fault rule post=EIO,nth=5 never fired; it concerned 1 operations"),
                log.list.stream().map(event -> event.getLevel() + " " + event.getFormattedMessage()).toList());
    }

    @Test
    void aPropertyPutsFaultsBeforeEachContextAndIsRefusedIfMalformed() {
        System.setProperty(FaultInjection.PROPERTY, "post=ENOMEM,nth=1");
        try {
            for (int i = 0; i < 2; i++) {
                try (LayeredPair pair = new LayeredPair()) {
                    assertEquals(Errno.ENOMEM.code(), pair.sender.tryPostSend(pair.write(1, 0)),
                            "counted in each context anew");
                    assertEquals(1,
                            pair.context.capability(FaultInjection.class).orElseThrow().hits().getFirst().fired());
                }
            }
            try (LayeredPair pair = new LayeredPair(FaultInjection.of())) {
                assertEquals(0, pair.sender.tryPostSend(pair.write(1, 0)), "the program's own take their place");
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
    void aPropertySwitchesStrictModeOn(String value) {
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
    void anotherValueOfThatPropertyIsRefused() {
        System.setProperty(StrictMode.PROPERTY, "yes");
        try {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Verbs.open("soft"));
            assertEquals("system property jverbs.strict: \"yes\" is not " + StrictMode.GRAMMAR, refused.getMessage());
        } finally {
            System.clearProperty(StrictMode.PROPERTY);
        }
    }
}
