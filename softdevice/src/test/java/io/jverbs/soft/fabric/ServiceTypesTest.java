package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.QpType;
import io.jverbs.soft.transport.ServiceType;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which transport services a device has. */
final class ServiceTypesTest {
    private static final Set<QpType> SUPPORTED = Set.of(QpType.RC, QpType.UC, QpType.UD);

    @ParameterizedTest
    @EnumSource
    void aDeviceHasOneServiceForEachTypeThatItSupports(ServiceTypes services) {
        Set<QpType> found = Stream.of(QpType.values())
                .filter(type -> services.of(type).map(ServiceType::type).equals(Optional.of(type)))
                .collect(Collectors.toSet());
        assertEquals(SUPPORTED, found);
        assertEquals(SUPPORTED.size(),
                Stream.of(QpType.values()).filter(type -> services.of(type).isPresent()).count());
    }

    /** D4: the message that refuses another type. */
    @ParameterizedTest
    @EnumSource
    void theTypesAreListedWithTheirNumbers(ServiceTypes services) {
        assertEquals("RC (2), UC (3) and UD (4)", services.names());
    }
}
