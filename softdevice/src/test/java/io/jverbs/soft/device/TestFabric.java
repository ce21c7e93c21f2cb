package io.jverbs.soft.device;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.NetworkLifetime;
import io.jverbs.soft.fabric.PacketSource;
import io.jverbs.soft.fabric.ServiceTypes;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * A fabric whose queue pairs reach each other within the JVM, with a source of packets and a lifetime of the test.
 *
 * @param number the number in the name of the device, and the seed of its random numbers; its address ends in the next
 *            number
 */
record TestFabric(LocalNetwork network, int number, PacketSource packets, NetworkLifetime lifetime) implements Fabric {

    @Override
    public String name() {
        return "test" + number;
    }

    @Override
    public Gid gid() {
        return Gid.parse("192.0.2." + (number + 1));
    }

    @Override
    public Mtu mtu() {
        return Mtu.MTU_1024;
    }

    @Override
    public RandomGenerator random() {
        return new Random(number);
    }

    @Override
    public ServiceTypes services() {
        return ServiceTypes.WITHIN_JVM;
    }
}
