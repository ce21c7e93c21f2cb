package io.jverbs.soft.capture;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.transport.Timers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The captures of one device; those of all devices of the JVM into one file share it. Control path. */
public final class Captures implements PacketCapture {
    private static final String OPERATION = "capture";

    /** A file and how many devices are captured into it. */
    private record Use(CaptureFile file, int devices) {}

    /** By file; also the lock of all captures. */
    private static final Map<Path, Use> FILES = new HashMap<>();
    private static boolean propertyHeld;

    private final String name;
    private final Timers clock;
    private final Consumer<Tap> place;
    /** Guarded by {@link #FILES}. */
    private DeviceTap tap;
    private boolean propertyUsed;
    private boolean removed;

    /**
     * @param name the device's name
     * @param clock its clock
     * @param place told who looks at its packets, null for nobody
     */
    public Captures(String name, Timers clock, Consumer<Tap> place) {
        this.name = name;
        this.clock = clock;
        this.place = place;
    }

    /**
     * Begins, once, what the system property asks for.
     *
     * @throws IllegalArgumentException as {@link #start}
     * @throws VerbsException as {@link #start}
     */
    public void startByProperty() {
        String asked = System.getProperty(PROPERTY);
        if (asked != null) {
            synchronized (FILES) {
                if (!propertyUsed && present() == null) {
                    start(asked);
                    propertyUsed = true;
                    if (!propertyHeld) {
                        // to the end of the JVM, whatever becomes of this device
                        propertyHeld = true;
                        FILES.computeIfPresent(tap.file(), (file, use) -> new Use(use.file(), use.devices() + 1));
                    }
                }
            }
        }
    }

    private DeviceTap present() {
        if (tap != null && tap.captureFile().hasEnded()) {
            tap = null;
        }
        return tap;
    }

    @Override
    public Running start(String specification) {
        CaptureSpec spec = CaptureSpec.parse(specification);
        synchronized (FILES) {
            if (removed) {
                throw new VerbsException(OPERATION, Errno.EIO, "device " + name + " was removed");
            }
            if (present() != null) {
                throw new VerbsException(OPERATION, Errno.EBUSY,
                        "packets of " + name + " are being captured to " + tap.file() + " already");
            }
            CaptureFile file = file(spec);
            FILES.merge(spec.file(), new Use(file, 1), (was, one) -> new Use(was.file(), was.devices() + 1));
            tap = new DeviceTap(file, name, clock, place, this::end);
            tap.attach();
            return tap;
        }
    }

    private static CaptureFile file(CaptureSpec spec) {
        FILES.values().removeIf(use -> use.file().hasEnded());
        Use present = FILES.get(spec.file());
        if (present == null) {
            return open(spec);
        }
        if (!present.file().spec().equals(spec)) {
            throw new VerbsException(OPERATION, Errno.EBUSY,
                    spec.file() + " is being written with other options: " + present.file().spec());
        }
        return present.file();
    }

    private static CaptureFile open(CaptureSpec spec) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(spec.file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING);
            CaptureFile file = new CaptureFile(spec, channel);
            file.start();
            return file;
        } catch (IOException e) {
            close(channel);
            throw refused(spec.file(), e);
        } catch (OutOfMemoryError e) {
            close(channel);
            throw new VerbsException(OPERATION, Errno.ENOMEM, "no memory for a buffer of " + spec.buffer()
                    + " bytes: ask for a smaller one, or give the JVM more with -XX:MaxDirectMemorySize");
        }
    }

    private static void close(FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new AssertionError("nothing is to be written any more", e);
            }
        }
    }

    private static VerbsException refused(Path file, IOException cause) {
        Errno error = switch (cause) {
            case NoSuchFileException e -> Errno.ENOENT;
            case AccessDeniedException e -> Errno.EACCES;
            default -> Errno.EIO;
        };
        VerbsException failure = new VerbsException(OPERATION, error,
                file + " cannot be written: " + cause + "; the form is " + GRAMMAR);
        failure.initCause(cause);
        return failure;
    }

    /** A device is captured no more; the file of the last one is ended. */
    private void end(DeviceTap ended) {
        synchronized (FILES) {
            CaptureFile file = ended.captureFile();
            Path path = file.spec().file();
            Use use = FILES.get(path);
            if (tap == ended) {
                tap = null;
                if (use != null && use.file() == file && use.devices() > 1) {
                    FILES.put(path, new Use(file, use.devices() - 1));
                } else if (use != null && use.file() == file) {
                    FILES.remove(path);
                    // nobody may begin the file anew before
                    file.close();
                }
            }
        }
    }

    /** The device is gone. */
    public void deviceRemoved() {
        synchronized (FILES) {
            removed = true;
        }
        running().ifPresent(Running::close);
    }

    @Override
    public Optional<Running> running() {
        synchronized (FILES) {
            return Optional.ofNullable(present());
        }
    }
}
