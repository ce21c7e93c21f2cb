package io.jverbs.soft.nio.contract.channel;

import io.jverbs.soft.nio.contract.ProviderUnderTest;
import org.junit.jupiter.api.Nested;

/** The channels of the JDK fulfill the contracts. */
final class JdkChannelTest {
    @Nested
    final class Connect extends ConnectContract {
        Connect() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class NonBlockingConnect extends NonBlockingConnectContract {
        NonBlockingConnect() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Addresses extends AddressesContract {
        Addresses() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class BindListener extends BindListenerContract {
        BindListener() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Accept extends AcceptContract {
        Accept() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Read extends ReadContract {
        Read() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Write extends WriteContract {
        Write() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class GatherScatter extends GatherScatterContract {
        GatherScatter() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Transfer extends TransferContract {
        Transfer() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class FileTransfer extends FileTransferContract {
        FileTransfer() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class HalfClose extends HalfCloseContract {
        HalfClose() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Close extends CloseContract {
        Close() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Interrupt extends InterruptContract {
        Interrupt() {
            super(ProviderUnderTest.JDK);
        }
    }

    @Nested
    final class Options extends OptionsContract {
        Options() {
            super(ProviderUnderTest.JDK);
        }
    }
}
