package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import java.util.random.RandomGenerator;

/**
 * The fabric of a device that reaches only devices of this JVM. Messages are executed by the thread that posts them, so
 * there are no packets.
 */
public final class LocalFabric implements Fabric {
    private static final long FIRST_ADDRESS = 0xFFFFL << 32 | 0xA9FE_0001L;

    private final int number;
    private final LocalNetwork network;
    private final RandomGenerator random;

    /**
     * @param number the number in the device's name, 0 to 255; also determines its address, in 169.254.0.0/16
     * @param network the network within the JVM
     * @param random the generator of keys and queue pair numbers
     */
    public LocalFabric(int number, LocalNetwork network, RandomGenerator random) {
        this.number = number;
        this.network = network;
        this.random = random;
    }

    @Override
    public String name() {
        return "soft" + number;
    }

    @Override
    public Gid gid() {
        return Gid.of(0, FIRST_ADDRESS + number);
    }

    @Override
    public Mtu mtu() {
        return Mtu.MTU_4096;
    }

    @Override
    public LocalNetwork network() {
        return network;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public ServiceTypes services() {
        return ServiceTypes.WITHIN_JVM;
    }
}
