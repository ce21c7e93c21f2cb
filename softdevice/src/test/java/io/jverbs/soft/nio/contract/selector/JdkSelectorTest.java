package io.jverbs.soft.nio.contract.selector;

import io.jverbs.soft.nio.contract.ProviderUnderTest;
import org.junit.jupiter.api.Nested;

/** The selectors of the JDK fulfill the contracts. */
final class JdkSelectorTest {
    @Nested
    final class Selection extends SelectionContract {
        Selection() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class SelectedKeys extends SelectedKeysContract {
        SelectedKeys() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Readiness extends ReadinessContract {
        Readiness() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Registration extends RegistrationContract {
        Registration() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Keys extends KeysContract {
        Keys() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class SelectorClose extends SelectorCloseContract {
        SelectorClose() {
            super(ProviderUnderTest.JDK);
        }
    }
}
