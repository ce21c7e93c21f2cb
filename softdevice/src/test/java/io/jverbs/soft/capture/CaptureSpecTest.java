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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which captures can be started, and how an invalid request is refused without starting anything. */
final class CaptureSpecTest {
    private static final String FORM = "; the form is " + PacketCapture.GRAMMAR
            + "; see docs/observability.md";

    @TempDir
    private Path folder;

    private static PacketCapture capture() {
        return PairOfQueuePairs.capture(Verbs.select("soft"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"``|the file name is missing",
        "?ring=3|the file name is missing", "f?|unknown option \"\"", "f?ring|option \"ring\" has no value",
        "f?ring=3&ring=4|option \"ring\" is given twice", "f?ring=0|ring=0 is not a number from 1 to 1000000",
        "f?ring=1000001|ring=1000001 is not a number from 1 to 1000000",
        "f?ring=ten|ring=ten is not a number from 1 to 1000000", "f?snap=63|snap=63 is not a number from 64 to 65535",
        "f?snap=65536|snap=65536 is not a number from 64 to 65535",
        "f?buffer=0|buffer=0 is not a number from 1 to 1024",
        "f?buffer=3|buffer=3 is not a power of two", "f?buffer=2048|buffer=2048 is not a number from 1 to 1024",
        "f?color=red|unknown option \"color\"", "f?snap=99&|unknown option \"\""})
    void anInvalidSpecificationIsRefusedWithThePartAndTheForm(String text, String part) {
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, () -> capture().start(text));

        assertEquals("capture \"" + text + "\": " + part + FORM, failure.getMessage());
        assertTrue(capture().running().isEmpty());
    }

    @Test
    void aSpecificationIsParsedAndPercentPIsTheProcessId() {
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
        assertTrue(failure.getMessage().endsWith(FORM), failure::getMessage);
        assertTrue(capture().running().isEmpty());
    }

    @Test
    void aDirectoryIsRefusedAndNotChanged() throws IOException {
        VerbsException failure = assertThrows(VerbsException.class, () -> capture().start(folder.toString()));

        assertEquals("capture: EISDIR (21): " + folder + " cannot be written: it is a directory; name a file in it"
                + FORM, failure.getMessage());
        assertTrue(capture().running().isEmpty());
        assertTrue(Files.isDirectory(folder));
        try (PacketCapture.Running running = capture().start(folder.resolve("a.pcapng").toString())) {
            assertTrue(Files.exists(running.file()));
        }
    }

    @Test
    void aPathThroughAFileIsRefusedWithTheNameOfThatFile() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        VerbsException failure = assertThrows(VerbsException.class,
                () -> capture().start(file.resolve("c.pcapng").toString()));

        assertEquals("capture: ENOTDIR (20): " + file.resolve("c.pcapng") + " cannot be written: " + file
                + " is not a directory" + FORM, failure.getMessage());
        assertTrue(capture().running().isEmpty());
    }

    @Test
    void aDeviceIsNotOpenedWhileThePropertyNamesADirectory() {
        System.setProperty(PacketCapture.PROPERTY, folder.toString());
        try {
            VerbsException failure = assertThrows(VerbsException.class, () -> Verbs.open("soft:soft4"));
            assertEquals(Errno.EISDIR, failure.error());
        } finally {
            System.clearProperty(PacketCapture.PROPERTY);
        }
        Verbs.open("soft:soft4").close();
    }

    @Test
    void aDiskThatIsAlreadyFullIsRefused() {
        if (Files.exists(Path.of("/dev/full"))) {
            VerbsException failure = assertThrows(VerbsException.class, () -> capture().start("/dev/full"));

            assertTrue(failure.getMessage().contains("/dev/full cannot be written: "), failure::getMessage);
        }
    }

    @Test
    void aDeviceHasOneCaptureAtATimeAndAFileOneSetOfOptions() throws Exception {
        RdmaDevice other = Verbs.select("soft:soft3");
        String file = folder.resolve("one.pcapng").toString();
        try (PacketCapture.Running running = capture().start(file)) {
            VerbsException failure = assertThrows(VerbsException.class, () -> capture().start(file + "2"));
            assertEquals(Errno.EBUSY, failure.error());
            assertTrue(failure.getMessage().contains("device soft0 is being captured to " + file + " already"),
                    failure::getMessage);
            assertFalse(Files.exists(Path.of(file + "2")));
            failure = assertThrows(VerbsException.class,
                    () -> PairOfQueuePairs.capture(other).start(file + "?snap=64"));
            assertEquals(Errno.EBUSY, failure.error());
            assertTrue(failure.getMessage().contains(file + " is being written with other options")
                    && failure.getMessage().endsWith(FORM), failure::getMessage);
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
