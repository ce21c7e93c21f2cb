package io.jverbs.samples.top;

import io.jverbs.control.Devices;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * A program that registers its devices, unregisters them when it reads a line, and exits at the end of its standard
 * input.
 */
final class ShowingProgram {
    private ShowingProgram() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Devices.register();
        System.out.println("registered");
        while (in.readLine() != null) {
            Devices.unregister();
            System.out.println("unregistered");
        }
    }
}
