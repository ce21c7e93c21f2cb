package io.jverbs.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NearestNameTest {
    private static final List<String> NAMES = List.of("devinfo", "tour", "top", "rc-pingpong", "uc-pingpong",
            "write-bw", "write-lat");

    @ParameterizedTest
    @CsvSource({"'', '', 0", "tour, tour, 0", "tour, '', 4", "'', top, 3", "tour, tur, 1", "tour, touur, 1",
        "tour, tuor, 1", "tour, four, 1", "kitten, sitting, 3", "ab, ba, 1", "abc, ca, 3"})
    void theDistanceCountsInsertionsDeletionsReplacementsAndSwaps(String from, String to, int distance) {
        assertEquals(distance, NearestName.distance(from, to));
        assertEquals(distance, NearestName.distance(to, from));
    }

    @ParameterizedTest
    @CsvSource({"tuor, tour", "tou, tour", "tops, top", "dev-info, devinfo", "write_bw, write-bw",
        "WRITE-LAT, write-lat", "ib_write_bw, write-bw", "ibv_uc_pingpong, uc-pingpong", "pingpong, rc-pingpong"})
    void aMisspelledNameHasANearestName(String word, String name) {
        assertEquals(Optional.of(name), NearestName.find(word, NAMES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "help", "benchmark", "ping"})
    void aWordThatIsNearNoNameHasNone(String word) {
        assertEquals(Optional.empty(), NearestName.find(word, NAMES));
    }

    @Test
    void ofAnOptionOfOneLetterOnlyTheCaseMayBeWrong() {
        assertEquals(Optional.empty(), NearestName.find("-Z", List.of("-C", "-p")));
        assertEquals(Optional.of("-C"), NearestName.find("-c", List.of("-C", "-p")));
    }

    @Test
    void withoutNamesThereIsNoNearestName() {
        assertEquals(Optional.empty(), NearestName.find("tour", List.of()));
    }
}
