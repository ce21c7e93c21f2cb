package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The GID table of a port with three entries; catalogue A19, A20. */
final class GidTableTest {
    private static final int LENGTH = 3;

    private final GidTable table = new GidTable(LENGTH);

    private static Gid gid(String name) {
        return Gid.parse("fd00::" + name);
    }

    private int add(Gid gid) {
        int index = table.indexFor(gid);
        table.set(index, gid);
        return index;
    }

    /** Returns the GIDs that the table lists, the last group of each only; "-" for an empty entry. */
    private String listed() {
        List<String> all = new ArrayList<>(List.of("-", "-", "-"));
        for (GidEntry entry : table.list(1)) {
            all.set(entry.index(), entry.gid().toString().replaceAll(".*:", ""));
            assertEquals(entry.gid(), table.get(entry.index()));
        }
        return String.join(" ", all);
    }

    /** Runs steps such as "add a", "remove 0", "use 0", "release a"; returns the result of the last one. */
    private String run(String steps) {
        String result = "";
        for (String step : steps.split(", *")) {
            String[] words = step.split(" ");
            try {
                result = switch (words[0]) {
                    case "add" -> String.valueOf(add(gid(words[1])));
                    case "remove" -> table.remove(Integer.parseInt(words[1])).toString();
                    case "use" -> String.valueOf(table.use(Integer.parseInt(words[1])));
                    case "release" -> {
                        table.release(gid(words[1]));
                        yield "";
                    }
                    default -> throw new IllegalArgumentException(step);
                };
            } catch (VerbsException e) {
                result = e.error().name();
            }
        }
        return result;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            add a                                                           | 0       | a - -
            add a, add b                                                    | 1       | a b -
            add a, add a                                                    | EINVAL  | a - -
            add a, add b, add c, add d                                      | ENOSPC  | a b c
            add a, add b, remove 0, add c                                   | 0       | c b -
            add a, remove 0, remove 0                                       | ENODATA | - - -
            use 0                                                           | null    | - - -
            add a, use 0, remove 0                                          | fd00::a | - - -
            add a, use 0, remove 0, use 0                                   | null    | - - -
            add a, use 0, remove 0, add b                                   | 1       | - b -
            add a, use 0, remove 0, add a                                   | 0       | a - -
            add a, use 0, remove 0, add b, add a                            | 0       | a b -
            add a, add b, use 1, remove 0, remove 1, add b                  | 1       | - b -
            add a, use 0, remove 0, release a, add b                        | 0       | b - -
            add a, use 0, use 0, remove 0, release a, add b                 | 1       | - b -
            add a, use 0, use 0, remove 0, release a, release a, add b      | 0       | b - -
            add a, use 0, release a, remove 0, add b                        | 0       | b - -
            add a, use 0, remove 0, add a, release a, add b                 | 1       | a b -
            add a, use 0, remove 0, add a, remove 0, release a, add b       | 0       | b - -
            add a, add b, add c, use 1, remove 1, add d                     | ENOSPC  | a - c
            add a, add b, add c, use 1, remove 1, release b, add d          | 1       | a d c
            """)
    void anIndexIsGivenToAnotherGidOnlyWhenItIsFree(String steps, String result, String entries) {
        assertEquals(result, run(steps));
        assertEquals(entries, listed());
    }

    @ParameterizedTest
    @CsvSource({"::, unspecified", "0.0.0.0, unspecified", "255.255.255.255, broadcast", "ff02::1, multicast",
        "ff0e::8000:1, multicast", "224.0.0.1, multicast", "239.255.255.255, multicast"})
    void anAddressThatIsNotUnicastIsRefused(String address, String why) {
        VerbsException refusal = assertThrows(VerbsException.class, () -> table.indexFor(Gid.parse(address)));

        assertEquals(Errno.EINVAL, refusal.error());
        assertTrue(refusal.getMessage().contains(why), refusal::getMessage);
        assertNull(table.get(0));
    }

    @ParameterizedTest
    @CsvSource({"::1", "fe80::1", "2001:db8::1", "127.0.0.1", "192.0.2.255", "223.255.255.255", "240.0.0.1", "fe00::1"})
    void aUnicastAddressIsAccepted(String address) {
        assertEquals(0, add(Gid.parse(address)));
    }

    @Test
    void aTableWhoseEntriesAreAllStillUsedNamesTheUsers() {
        run("add a, add b, add c, use 0, use 1, use 2, remove 0, remove 1, remove 2");

        VerbsException refusal = assertThrows(VerbsException.class, () -> table.indexFor(gid("d")));
        assertTrue(refusal.getMessage().contains("still used by address handles or queue pairs"), refusal::getMessage);
    }
}
