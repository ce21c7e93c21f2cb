package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.PairOfQueuePairs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be captured, and what is said to those who ask for something else; nothing is begun then. */
final class CaptureSpecTest {
    @TempDir
    private Path folder;

    private static PacketCapture capture() {
        return PairOfQueuePairs.capture(Verbs.select("soft"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"``|no file is named", "?ring=3|no file is named",
        "f?|unknown option \"\"", "f?ring|option \"ring\" has no value",
        "f?ring=3&ring=4|option \"ring\" is given twice", "f?ring=0|ring=0 is no number from 1 to 1000000",
        "f?ring=1000001|ring=1000001 is no number from 1 to 1000000",
        "f?ring=ten|ring=ten is no number from 1 to 1000000", "f?snap=63|snap=63 is no number from 64 to 65535",
        "f?snap=65536|snap=65536 is no number from 64 to 65535", "f?buffer=0|buffer=0 is no number from 1 to 1024",
        "f?buffer=3|buffer=3 is no power of two", "f?buffer=2048|buffer=2048 is no number from 1 to 1024",
        "f?color=red|unknown option \"color\"", "f?snap=99&|unknown option \"\""})
    void whatHasNotTheFormIsRefusedWithThePartAndTheForm(String text, String part) {
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, () -> capture().start(text));

        assertEquals("capture \"" + text + "\": " + part + "; the form is " + PacketCapture.GRAMMAR,
                failure.getMessage());
        assertTrue(capture().running().isEmpty());
    }

    @Test
    void theNumberOfTheProcessStandsInTheName() {
        assertEquals(Path.of("x" + ProcessHandle.current().pid() + ".pcapng").toAbsolutePath(),
                CaptureSpec.parse("x%p.pcapng").file());
        assertEquals(new CaptureSpec(Path.of("/a/b"), 1_000_000, 64, 1 << 30),
                CaptureSpec.parse("/a/./b?snap=64&buffer=1024&ring=1000000"));
        assertEquals(new CaptureSpec(Path.of("/a/b"), 0, 65535, 16 << 20), CaptureSpec.parse("/a/b"));
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedWithTheReason() {
        Path file = folder.resolve("no/folder/c.pcapng");
        VerbsException failure = assertThrows(VerbsException.class, () -> capture().start(file.toString()));

        assertEquals(Errno.ENOENT, failure.error());
        assertTrue(failure.getMessage().contains(file + " cannot be written: "), failure::getMessage);
        assertTrue(failure.getMessage().endsWith("the form is " + PacketCapture.GRAMMAR), failure::getMessage);
        failure = assertThrows(VerbsException.class, () -> capture().start(folder.toString()));
        assertTrue(failure.getMessage().contains(folder + " cannot be written: "), failure::getMessage);
        assertTrue(capture().running().isEmpty());
    }

    @Test
    void aFullDiskIsRefusedWhenItIsFullAlready() {
        if (Files.exists(Path.of("/dev/full"))) {
            VerbsException failure = assertThrows(VerbsException.class, () -> capture().start("/dev/full"));

            assertTrue(failure.getMessage().contains("/dev/full cannot be written: "), failure::getMessage);
        }
    }

    @Test
    void aDeviceIsCapturedOnceAtATimeAndAFileWithTheSameOptions() throws Exception {
        RdmaDevice other = Verbs.select("soft:soft3");
        String file = folder.resolve("one.pcapng").toString();
        try (PacketCapture.Running running = capture().start(file)) {
            VerbsException failure = assertThrows(VerbsException.class, () -> capture().start(file + "2"));
            assertEquals(Errno.EBUSY, failure.error());
            assertTrue(failure.getMessage().contains("soft0 are being captured to " + file + " already"),
                    failure::getMessage);
            assertFalse(Files.exists(Path.of(file + "2")));
            failure = assertThrows(VerbsException.class,
                    () -> PairOfQueuePairs.capture(other).start(file + "?snap=64"));
            assertEquals(Errno.EBUSY, failure.error());
            assertTrue(failure.getMessage().contains(file + " is being written with other options"),
                    failure::getMessage);
            assertEquals(running, capture().running().orElseThrow());
        }
        assertTrue(capture().running().isEmpty());
        capture().start(file + "?snap=64").close();
        assertEquals(64, Pcapng.read(Path.of(file)).interfaces().getFirst().snap());
    }

    @Test
    void theCaptureOfARemovedDeviceEnds() throws Exception {
        RdmaDevice device = Verbs.select("soft:soft3");
        Path file = folder.resolve("removed.pcapng");
        PacketCapture.Running running = PairOfQueuePairs.capture(device).start(file.toString());
        device.capability(DeviceRemoval.class).orElseThrow().remove();

        assertTrue(PairOfQueuePairs.capture(device).running().isEmpty());
        assertEquals(1, Pcapng.read(file).statistics().size());
        running.flush();
        running.close();
        VerbsException failure = assertThrows(VerbsException.class,
                () -> PairOfQueuePairs.capture(device).start(file.toString()));
        assertEquals(Errno.EIO, failure.error());
    }
}
