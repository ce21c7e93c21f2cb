package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** L52: a receiver of marked packets sends at most one CNP in 50 us. */
final class CnpIntervalTest {

    /** The columns are the times in us at which marked packets arrive, and those at which a CNP is sent. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0,                  0
            0 1 49,             0
            0 50 99 100,        0 50 100
            7 56 57 58,         7 57
            0 900 901 949 950,  0 900 950
            """)
    void aCnpIsSentForTheFirstMarkedPacketAndThenOnceIn50Microseconds(String arrivals, String expected) {
        for (long start : new long[] {0, 1_000_000, Long.MAX_VALUE - 60_000}) {
            CnpInterval interval = new CnpInterval(start);
            String sent = Arrays.stream(arrivals.split(" "))
                    .filter(micros -> interval.admits(start + Long.parseLong(micros) * 1_000))
                    .collect(Collectors.joining(" "));
            assertEquals(expected, sent);
        }
    }
}
