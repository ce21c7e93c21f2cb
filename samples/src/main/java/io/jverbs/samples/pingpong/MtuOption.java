package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.samples.connect.Numbers;
import picocli.CommandLine.Option;

/** The path MTU option of the ping-pongs on connected queue pairs. */
final class MtuOption {
    @Option(names = {"-m", "--mtu"}, paramLabel = "BYTES", defaultValue = "1024", description = "The path MTU: 256,"
            + " 512, 1024, 2048 or 4096, the same on both sides; default ${DEFAULT-VALUE}.")
    private String mtu;

    Mtu value() {
        return Numbers.readMtu("--mtu", mtu);
    }
}
