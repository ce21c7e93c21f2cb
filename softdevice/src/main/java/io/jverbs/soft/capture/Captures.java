package io.jverbs.soft.capture;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.SystemProperties;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The captures of one device. Captures of several devices of the JVM into the same file share it. The state of all
 * captures is guarded by one lock, {@code FILES}. Thread-safe.
 */
public final class Captures implements PacketCapture {
    private static final String OPERATION = "capture";

    /** A file and the number of its users: captured devices, and the system property. */
    private record Use(CaptureFile file, int devices) {}

    /** The open capture files by path. Also the lock of all captures. */
    private static final Map<Path, Use> FILES = new HashMap<>();
    /** The latest file that was opened for the system property. */
    private static CaptureFile propertyFile;

    private final String name;
    private final Timers clock;
    private final DeviceTap.Owner owner;
    /** Guarded by {@link #FILES}. */
    private DeviceTap tap;
    private boolean propertyUsed;
    /** Why the device can no longer be captured, as the end of a sentence; null if it can. */
    private String endReason;

    /**
     * @param name the device's name
     * @param clock its clock
     * @param setTap sets the tap of the device, null for none
     */
    public Captures(String name, Timers clock, Consumer<Tap> setTap) {
        this.name = name;
        this.clock = clock;
        this.owner = new TapInstaller(setTap);
    }

    /** Installs the taps of the device. Guarded by itself. */
    private final class TapInstaller implements DeviceTap.Owner {
        private final Consumer<Tap> setTap;
        private DeviceTap present;

        TapInstaller(Consumer<Tap> setTap) {
            this.setTap = setTap;
        }

        @Override
        public synchronized void install(DeviceTap next) {
            present = next;
            setTap.accept(next);
        }

        @Override
        public synchronized void uninstall(DeviceTap former) {
            if (present == former) {
                present = null;
                setTap.accept(null);
            }
        }

        @Override
        public void closed(DeviceTap former) {
            end(former);
        }
    }

    /**
     * Starts the capture that the system property specifies, once for each device. Has no effect if the device is being
     * captured or can no longer be captured, or if the property's file has ended.
     *
     * @throws IllegalArgumentException as {@link #start}
     * @throws VerbsException as {@link #start}
     */
    public void startByProperty() {
        String specification = System.getProperty(PROPERTY);
        if (specification != null) {
            try {
                startByProperty(specification);
            } catch (IllegalArgumentException e) {
                throw SystemProperties.named(PROPERTY, e);
            } catch (VerbsException e) {
                throw SystemProperties.named(PROPERTY, e);
            }
        }
    }

    private void startByProperty(String specification) {
        synchronized (FILES) {
            if (!propertyUsed && endReason == null && present() == null && !hasEnded(specification)) {
                start(specification);
                propertyUsed = true;
                keepOpen(tap.captureFile());
            }
        }
    }

    /**
     * Returns whether the property's file has ended, because the disk is full or the JVM exits. Opening it again would
     * truncate it.
     */
    private static boolean hasEnded(String specification) {
        return propertyFile != null && propertyFile.hasEnded()
                && propertyFile.spec().file().equals(CaptureSpec.parse(specification).file());
    }

    /** Keeps the property's file open until the JVM exits, even if no device is captured into it. */
    private static void keepOpen(CaptureFile file) {
        if (propertyFile != file) {
            propertyFile = file;
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
        StackReserve.check();
        CaptureSpec spec = CaptureSpec.parse(specification);
        synchronized (FILES) {
            if (endReason != null) {
                throw new VerbsException(OPERATION, Errno.EIO, "device " + name + " " + endReason);
            }
            if (present() != null) {
                throw new VerbsException(OPERATION, Errno.EBUSY,
                        "device " + name + " is being captured to " + tap.file()
                                + " already: close that capture first");
            }
            return capture(spec);
        }
    }

    /** Captures the device into a file. If that fails, the device is no user of the file. */
    private DeviceTap capture(CaptureSpec spec) {
        CaptureFile file = acquire(spec);
        DeviceTap started = null;
        try {
            started = new DeviceTap(file, name, clock, owner);
            started.attach();
            tap = started;
            return started;
        } catch (RuntimeException | Error e) {
            if (started != null) {
                started.detach();
            }
            release(file);
            throw e;
        }
    }

    /** Returns the file for a capture, with one more user. */
    private static CaptureFile acquire(CaptureSpec spec) {
        CaptureFile file = file(spec);
        try {
            FILES.merge(spec.file(), new Use(file, 1), (was, one) -> new Use(was.file(), was.devices() + 1));
            return file;
        } catch (RuntimeException | Error e) {
            if (!FILES.containsKey(spec.file())) {
                file.close();
            }
            throw e;
        }
    }

    /** Removes a user of a file; the last one closes it. */
    private static void release(CaptureFile file) {
        Path path = file.spec().file();
        Use use = FILES.get(path);
        if (use == null || use.file() != file) {
            return;
        }
        if (use.devices() > 1) {
            FILES.put(path, new Use(file, use.devices() - 1));
        } else {
            // with the lock held, because the file must be closed before it is opened again
            file.close();
            FILES.remove(path);
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
                    spec.file() + " is being written with other options, " + present.file().spec()
                            + ": use the same options, or another file" + CaptureSpec.FORM);
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
            throw new VerbsException(OPERATION, Errno.ENOMEM, "no memory for a capture buffer of " + spec.buffer()
                    + " bytes and a thread (" + e.getMessage()
                    + "): use a smaller buffer=, or give the JVM more memory with -XX:MaxDirectMemorySize"
                    + CaptureSpec.FORM);
        }
    }

    private static VerbsException refused(Path file, IOException cause) {
        Errno error = switch (cause) {
            case NoSuchFileException e -> Errno.ENOENT;
            case AccessDeniedException e -> Errno.EACCES;
            case ExclusiveFile.InUse e -> Errno.EBUSY;
            default -> Files.isDirectory(file) ? Errno.EISDIR : isBelowFile(file) ? Errno.ENOTDIR : Errno.EIO;
        };
        String what = switch (error) {
            case EBUSY ->
                " is being written by another process, or by this one under another name: use another file; %p in the"
                        + " name stands for the process ID";
            case EISDIR -> " cannot be written: it is a directory; name a file in it";
            case ENOTDIR -> " cannot be written: " + file.getParent() + " is not a directory";
            default -> " cannot be written: " + cause;
        };
        VerbsException failure = new VerbsException(OPERATION, error, file + what + CaptureSpec.FORM);
        failure.initCause(cause);
        return failure;
    }

    private static boolean isBelowFile(Path file) {
        Path folder = file.getParent();
        return folder != null && !Files.isDirectory(folder);
    }

    /** Ends the capture of a device. The last capture into a file also closes the file. */
    private void end(DeviceTap ended) {
        synchronized (FILES) {
            tap = tap == ended ? null : tap;
            if (!ended.isReleased()) {
                release(ended.captureFile());
                ended.released();
            }
        }
    }

    /** Ends the capture because the device was removed. */
    public void deviceRemoved() {
        endCaptures("was removed").ifPresent(DeviceTap::end);
    }

    /**
     * Stops capturing because the device's simulated network has ended. The capture is not closed, so that with {@code
     * ring=} the kept packets can still be flushed.
     */
    public void networkEnded() {
        endCaptures("belongs to a simulated network that has ended").ifPresent(DeviceTap::detach);
    }

    private Optional<DeviceTap> endCaptures(String reason) {
        synchronized (FILES) {
            Optional<DeviceTap> last = Optional.ofNullable(present());
            endReason = reason;
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
