package io.jverbs.contract.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.end.Infos.LimitResult;
import io.jverbs.contract.end.JobCommands.ObjectKind;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how many objects can be created. */
@Isolated("uses up the limits of the device")
final class DeviceLimitsContract extends VerbsContract {

    /** The most objects that are created to find a limit. */
    private static final int MOST_OBJECTS = 70_000;

    private int advertised(ObjectKind kind) {
        DeviceAttributes device = left.device();
        return switch (kind) {
            case PD -> device.maxPd();
            case MR -> device.maxMr();
            case MW -> device.maxMw();
            case CQ -> device.maxCq();
            case QP -> device.maxQp();
            case SRQ -> device.maxSrq();
            case AH -> device.maxAh();
        };
    }

    @ParameterizedTest
    @EnumSource(ObjectKind.class)
    @Catalogue("A7")
    void asManyObjectsAsAdvertisedCanBeCreatedAndOneMoreAfterFreeingOne(ObjectKind kind) {
        int advertised = advertised(kind);
        int attempts = Math.min(advertised + 300, MOST_OBJECTS);
        LimitResult result = left.end().exhaust(kind, attempts);
        assertTrue(result.created() >= Math.min(advertised - 200, attempts),
                () -> advertised + " were advertised, but " + result);
        if (attempts > advertised) {
            assertTrue(result.created() <= advertised + 200, () -> advertised + " were advertised, but " + result);
            assertEquals(Errno.ENOMEM, Errno.of(result.errno()), result::toString);
            assertTrue(result.againAfterFree(), result::toString);
        }
    }
}
