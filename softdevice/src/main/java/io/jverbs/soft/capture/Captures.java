package io.jverbs.soft.capture;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.transport.Timers;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
    /** The file that the system property named last. */
    private static CaptureFile byProperty;

    private final String name;
    private final Timers clock;
    private final DeviceTap.Owner owner;
    /** Guarded by {@link #FILES}. */
    private DeviceTap tap;
    private boolean propertyUsed;
    /** Why there is nothing to capture any more; null while there is. */
    private String gone;

    /**
     * @param name the device's name
     * @param clock its clock
     * @param place told who looks at its packets, null for nobody
     */
    public Captures(String name, Timers clock, Consumer<Tap> place) {
        this.name = name;
        this.clock = clock;
        this.owner = new Place(place);
    }

    /** Where a device is told who looks; guarded by itself. */
    private final class Place implements DeviceTap.Owner {
        private final Consumer<Tap> told;
        private DeviceTap present;

        Place(Consumer<Tap> told) {
            this.told = told;
        }

        @Override
        public synchronized void hook(DeviceTap next) {
            present = next;
            told.accept(next);
        }

        @Override
        public synchronized void unhook(DeviceTap former) {
            if (present == former) {
                present = null;
                told.accept(null);
            }
        }

        @Override
        public void closed(DeviceTap former) {
            end(former);
        }
    }

    /**
     * Begins, once, what the system property asks for; what has ended of itself stays as it is.
     *
     * @throws IllegalArgumentException as {@link #start}
     * @throws VerbsException as {@link #start}
     */
    public void startByProperty() {
        String asked = System.getProperty(PROPERTY);
        if (asked != null) {
            synchronized (FILES) {
                if (!propertyUsed && gone == null && present() == null && !hasEnded(asked)) {
                    start(asked);
                    propertyUsed = true;
                    hold(tap.captureFile());
                }
            }
        }
    }

    /** Whether the property's file has ended: a disk is full, or the JVM ends. To begin it anew would empty it. */
    private static boolean hasEnded(String asked) {
        return byProperty != null && byProperty.hasEnded()
                && byProperty.spec().file().equals(CaptureSpec.parse(asked).file());
    }

    /** Has the property's file stay open to the end of the JVM, whatever becomes of devices. */
    private static void hold(CaptureFile file) {
        if (byProperty != file) {
            byProperty = file;
            FILES.computeIfPresent(file.spec().file(), (path, use) -> new Use(use.file(), use.devices() + 1));
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
            if (gone != null) {
                throw new VerbsException(OPERATION, Errno.EIO, "device " + name + " " + gone);
            }
            if (present() != null) {
                throw new VerbsException(OPERATION, Errno.EBUSY,
                        "packets of " + name + " are being captured to " + tap.file() + " already");
            }
            CaptureFile file = file(spec);
            FILES.merge(spec.file(), new Use(file, 1), (was, one) -> new Use(was.file(), was.devices() + 1));
            tap = new DeviceTap(file, name, clock, owner);
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
        try {
            CaptureFile file = new CaptureFile(spec, () -> ExclusiveFile.open(spec.file()));
            file.start();
            return file;
        } catch (IOException e) {
            throw refused(spec.file(), e);
        } catch (OutOfMemoryError e) {
            throw new VerbsException(OPERATION, Errno.ENOMEM, "no memory for a buffer of " + spec.buffer()
                    + " bytes and a thread (" + e.getMessage()
                    + "): ask for a smaller one, or give the JVM more with -XX:MaxDirectMemorySize");
        }
    }

    private static VerbsException refused(Path file, IOException cause) {
        Errno error = switch (cause) {
            case NoSuchFileException e -> Errno.ENOENT;
            case AccessDeniedException e -> Errno.EACCES;
            case ExclusiveFile.InUse e -> Errno.EBUSY;
            default -> Errno.EIO;
        };
        String what = error == Errno.EBUSY
                ? " is being written by another process, or under another name: %p in the name stands for the number of"
                        + " the process"
                : " cannot be written: " + cause;
        VerbsException failure = new VerbsException(OPERATION, error, file + what + "; the form is " + GRAMMAR);
        failure.initCause(cause);
        return failure;
    }

    /** A device is captured no more; the file of the last one is ended. */
    private void end(DeviceTap ended) {
        synchronized (FILES) {
            tap = tap == ended ? null : tap;
            CaptureFile file = ended.captureFile();
            Path path = file.spec().file();
            Use use = FILES.get(path);
            if (ended.isFirstEnd() && use != null && use.file() == file) {
                if (use.devices() > 1) {
                    FILES.put(path, new Use(file, use.devices() - 1));
                } else {
                    FILES.remove(path);
                    // nobody may begin the file anew before
                    file.close();
                }
            }
        }
    }

    /** The device is gone. */
    public void deviceRemoved() {
        go("was removed").ifPresent(Running::close);
    }

    /** The device's network has ended, and nothing comes any more; what is kept can still be had. */
    public void networkEnded() {
        go("is of a network that has ended").ifPresent(DeviceTap::detach);
    }

    private Optional<DeviceTap> go(String why) {
        synchronized (FILES) {
            Optional<DeviceTap> last = Optional.ofNullable(present());
            gone = why;
            tap = null;
            return last;
        }
    }

    @Override
    public Optional<Running> running() {
        synchronized (FILES) {
            return Optional.ofNullable(present());
        }
    }
}
