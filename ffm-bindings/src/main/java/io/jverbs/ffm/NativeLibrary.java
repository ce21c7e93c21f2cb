package io.jverbs.ffm;

import java.io.IOException;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether a native library can be used, and if not, why. The check never throws, prints nothing, and calls no
 * restricted method unless native access is enabled. Any thread may call any method.
 */
public sealed interface NativeLibrary {

    /** System property: the name or path of libibverbs, instead of {@code libibverbs.so.1}. */
    String IBVERBS_PROPERTY = "jverbs.libibverbs";

    /** System property: the name or path of librdmacm, instead of {@code librdmacm.so.1}. */
    String RDMACM_PROPERTY = "jverbs.librdmacm";

    /**
     * {@return whether libibverbs can be used} A positive result is cached: later changes of system properties have no
     * effect.
     */
    static NativeLibrary ibverbs() {
        return LibraryProbe.IBVERBS.result();
    }

    /** {@return whether librdmacm can be used} A positive result is cached, as for {@link #ibverbs()}. */
    static NativeLibrary rdmacm() {
        return LibraryProbe.RDMACM.result();
    }

    /** The kind of reason why a library cannot be used. */
    enum Obstacle {
        /** The operating system is not Linux. */
        NOT_LINUX,
        /** The struct layouts are known for x86-64 and aarch64 only, and this is another processor. */
        UNKNOWN_ARCHITECTURE,
        /** The JVM was not started with {@code --enable-native-access} for this module. */
        NATIVE_ACCESS_NOT_ENABLED,
        /** The dynamic linker cannot find or load the library. */
        LIBRARY_ABSENT,
        /** The library lacks a function that every release of rdma-core has. */
        SYMBOL_MISSING
    }

    /**
     * The library is loaded. It is never unloaded.
     *
     * @param name the name or path with which it was loaded
     * @param symbols the symbols of the library
     */
    record Usable(String name, SymbolLookup symbols) implements NativeLibrary {

        /** Checks that no argument is null. */
        public Usable {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(symbols, "symbols");
        }

        /**
         * {@return the file that is mapped into this process, with symbolic links resolved, empty if it cannot be
         * determined} The name of a file of rdma-core ends with the version of the ABI and the release, as in {@code
         * libibverbs.so.1.14.44.0} for release 44.0.
         */
        public Optional<String> file() {
            // a mapped file whose name begins with that of the library, the directory excluded
            var prefix = "/" + name.substring(name.lastIndexOf('/') + 1);
            try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
                return lines.filter(line -> line.indexOf('/') >= 0).map(line -> line.substring(line.indexOf('/')))
                        .filter(file -> file.startsWith(prefix, file.lastIndexOf('/'))).findFirst();
            } catch (IOException | RuntimeException e) {
                return Optional.empty();
            }
        }
    }

    /**
     * The library cannot be used.
     *
     * @param obstacle the kind of reason
     * @param reason the reason and what to do about it, a sentence without a full stop, for a log or an error message
     */
    record Unusable(Obstacle obstacle, String reason) implements NativeLibrary {

        /** Checks that no argument is null. */
        public Unusable {
            Objects.requireNonNull(obstacle, "obstacle");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
