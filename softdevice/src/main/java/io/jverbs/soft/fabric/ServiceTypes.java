package io.jverbs.soft.fabric;

import io.jverbs.QpType;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.transport.local.LocalReliableConnection;
import io.jverbs.soft.transport.local.LocalUnreliableConnection;
import io.jverbs.soft.transport.rc.ReliableConnection;
import io.jverbs.soft.transport.uc.UnreliableConnection;
import io.jverbs.soft.transport.ud.UnreliableDatagram;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The transport services of a device. This is the only place that says which types of queue pairs there are. */
public enum ServiceTypes {
    /** The services of a fabric that carries no packets. */
    WITHIN_JVM(new LocalReliableConnection(), new LocalUnreliableConnection(), new UnreliableDatagram()),
    /** The services of a fabric that carries RoCEv2 packets. Peers in the same JVM may be reached without packets. */
    ROCE(new ReliableConnection(), new UnreliableConnection(), new UnreliableDatagram());

    private final Map<QpType, ServiceType> services = new EnumMap<>(QpType.class);

    ServiceTypes(ServiceType... all) {
        for (ServiceType each : all) {
            services.put(each.type(), each);
        }
    }

    /**
     * {@return the service of a type of queue pairs, empty if the device does not have it}
     *
     * @param type the type
     */
    public Optional<ServiceType> of(QpType type) {
        return Optional.ofNullable(services.get(type));
    }

    /** {@return the types that the device has, with their numbers, for messages} */
    public String names() {
        List<String> names = services.keySet().stream().map(type -> type + " (" + type.code() + ")").toList();
        return String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
    }
}
