package io.jverbs.ffm.child;

import io.jverbs.ffm.NativeLibrary;

/** Prints the result of the probe for libibverbs. */
final class ProbeProgram {

    private ProbeProgram() {}

    public static void main(String[] args) {
        System.out.println(switch (NativeLibrary.ibverbs()) {
            case NativeLibrary.Usable usable -> "usable: " + usable.name();
            case NativeLibrary.Unusable unusable -> unusable.obstacle() + ": " + unusable.reason();
        });
    }
}
