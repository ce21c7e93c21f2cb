package io.jverbs.soft.nio.contract.selector;

import io.jverbs.soft.nio.contract.ProviderUnderTest;
import org.junit.jupiter.api.Nested;

/** The selectors of RDMA over UDP fulfill the contracts. */
final class UdpSelectorTest {
    @Nested
    final class Selection extends SelectionContract {
        Selection() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class SelectedKeys extends SelectedKeysContract {
        SelectedKeys() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Readiness extends ReadinessContract {
        Readiness() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Registration extends RegistrationContract {
        Registration() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Keys extends KeysContract {
        Keys() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class SelectorClose extends SelectorCloseContract {
        SelectorClose() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }
}
