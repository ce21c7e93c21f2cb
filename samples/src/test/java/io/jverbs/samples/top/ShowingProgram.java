package io.jverbs.samples.top;

import io.jverbs.control.Devices;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** A program that shows its devices itself, shows them no longer when it is told so by a line, and ends at the end of its input. */
final class ShowingProgram {
    private ShowingProgram() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Devices.register();
        System.out.println("shown");
        while (in.readLine() != null) {
            Devices.unregister();
            System.out.println("hidden");
        }
    }
}
