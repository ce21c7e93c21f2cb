package io.jverbs.soft.injection;

import io.jverbs.RdmaDevice;
import io.jverbs.control.PacketCapture;
import io.jverbs.injection.ErrorInjector.InjectedError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;

/** What watches the devices while a scenario runs: a packet capture, or a recording of Java Flight Recorder. */
final class Watch implements AutoCloseable {
    /** The packets of the devices are captured. */
    static final String CAPTURE = "capture";
    /** The events of the devices are recorded. */
    static final String JOURNAL = "journal";
    /** Nothing watches the devices. */
    static final String NONE = "none";

    private final List<RdmaDevice> captured = new ArrayList<>();
    private final List<PacketCapture.Running> captures = new ArrayList<>();
    private final Path file;
    private final Recording recording;

    private Watch(Path file, Recording recording) {
        this.file = file;
        this.recording = recording;
    }

    /**
     * Starts to watch devices.
     *
     * @param what {@link #CAPTURE}, {@link #JOURNAL} or {@link #NONE}
     */
    static Watch start(String what, List<RdmaDevice> devices) {
        return switch (what) {
            case NONE -> new Watch(null, null);
            case CAPTURE -> {
                Watch watch = new Watch(temporaryFile(), null);
                devices.forEach(watch::capture);
                yield watch;
            }
            case JOURNAL -> {
                Recording recording = new Recording();
                recording.start();
                yield new Watch(null, recording);
            }
            default -> throw new IllegalArgumentException(what);
        };
    }

    private static Path temporaryFile() {
        try {
            return Files.createTempFile("injected", ".pcapng");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PacketCapture of(RdmaDevice device) {
        return device.capability(PacketCapture.class).orElseThrow();
    }

    private void capture(RdmaDevice device) {
        captured.add(device);
        captures.add(of(device).start(file + "?snap=64"));
    }

    /** Waits until the packets so far are written: the thread that writes them has taken part in the round. */
    void flush() {
        for (PacketCapture.Running capture : captures) {
            try {
                capture.flush();
            } catch (InjectedError e) {
                // they are written later
            }
        }
    }

    /** Checks that the captures go on. */
    void check(List<String> errors) {
        captures.forEach(PacketCapture.Running::flush);
        for (RdmaDevice device : captured) {
            if (of(device).running().isEmpty()) {
                errors.add("the capture of " + device + " has ended");
            }
        }
    }

    @Override
    public void close() {
        captures.forEach(PacketCapture.Running::close);
        if (recording != null) {
            recording.close();
        }
        try {
            if (file != null) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
