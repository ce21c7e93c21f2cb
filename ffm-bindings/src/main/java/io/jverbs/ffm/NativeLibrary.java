package io.jverbs.ffm;

import java.lang.foreign.SymbolLookup;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether a native library can be used, and why not. Finding out never throws, prints nothing, and makes no restricted
 * call unless native access is enabled.
 */
public sealed interface NativeLibrary {

    /** System property: another name or path of libibverbs, instead of {@code libibverbs.so.1}. */
    String IBVERBS_PROPERTY = "jverbs.libibverbs";

    /** System property: another name or path of librdmacm, instead of {@code librdmacm.so.1}. */
    String RDMACM_PROPERTY = "jverbs.librdmacm";

    /**
     * {@return whether libibverbs can be used} The first time that it can is remembered: system properties that change
     * later have no effect.
     */
    static NativeLibrary ibverbs() {
        return LibraryProbe.IBVERBS.result();
    }

    /** {@return whether librdmacm can be used} Remembered as with {@link #ibverbs()}. */
    static NativeLibrary rdmacm() {
        return LibraryProbe.RDMACM.result();
    }

    /** What stands in the way. */
    enum Obstacle {
        /** The operating system is not Linux. */
        NOT_LINUX,
        /** The layouts are known for x86-64 and aarch64, and this is another processor. */
        UNKNOWN_ARCHITECTURE,
        /** The JVM was not started with {@code --enable-native-access} for this module. */
        NATIVE_ACCESS_NOT_ENABLED,
        /** The dynamic linker does not find or cannot load the library. */
        LIBRARY_ABSENT,
        /** The library lacks a function that every release of rdma-core has. */
        SYMBOL_MISSING
    }

    /**
     * The library is loaded, and stays so.
     *
     * @param name the name or path that it was loaded by
     * @param symbols its symbols
     */
    record Usable(String name, SymbolLookup symbols) implements NativeLibrary {

        /** Checks its arguments. */
        public Usable {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(symbols, "symbols");
        }

        /**
         * {@return the file that is mapped into this process, links resolved, if it can be told} With rdma-core its
         * name ends with the ABI's version and the release, as in {@code libibverbs.so.1.14.44.0} for release 44.0.
         */
        public Optional<String> file() {
            return LoadedFiles.find(name);
        }
    }

    /**
     * The library cannot be used.
     *
     * @param obstacle what kind of reason it is
     * @param reason a sentence for a log or an error message, without full stop, that says what to do about it
     */
    record Unusable(Obstacle obstacle, String reason) implements NativeLibrary {

        /** Checks its arguments. */
        public Unusable {
            Objects.requireNonNull(obstacle, "obstacle");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
