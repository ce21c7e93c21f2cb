package io.jverbs.soft.nio.contract.channel;

import io.jverbs.soft.nio.contract.ProviderUnderTest;
import org.junit.jupiter.api.Nested;

/** The channels of RDMA over UDP fulfill the contracts. */
final class UdpChannelTest {
    @Nested
    final class Connect extends ConnectContract {
        Connect() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class NonBlockingConnect extends NonBlockingConnectContract {
        NonBlockingConnect() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Addresses extends AddressesContract {
        Addresses() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class BindListener extends BindListenerContract {
        BindListener() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Accept extends AcceptContract {
        Accept() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Read extends ReadContract {
        Read() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Write extends WriteContract {
        Write() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class GatherScatter extends GatherScatterContract {
        GatherScatter() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Transfer extends TransferContract {
        Transfer() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class FileTransfer extends FileTransferContract {
        FileTransfer() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class HalfClose extends HalfCloseContract {
        HalfClose() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Close extends CloseContract {
        Close() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Interrupt extends InterruptContract {
        Interrupt() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }

    @Nested
    final class Options extends OptionsContract {
        Options() {
            super(ProviderUnderTest.RDMA_OVER_UDP);
        }
    }
}
