package io.jverbs.samples.interop;

import java.util.ArrayList;
import java.util.List;

/**
 * A sample and the C program of the same name, which run with the same options.
 *
 * @param sampleIsServer whether the sample is the server and the C program the client
 * @param type the part of the program's name before {@code pingpong}
 * @param size the length of a message in bytes
 * @param options further options
 */
record Pairing(boolean sampleIsServer, String type, int size, List<String> options) {
    private static final int SRQ_QUEUE_PAIRS = 16;

    /** {@return all pairings, in the order in which they run} */
    static List<Pairing> all() {
        List<Pairing> pairings = new ArrayList<>();
        for (boolean sampleIsServer : new boolean[] {true, false}) {
            for (String type : List.of("rc", "uc", "srq")) {
                pairings.add(of(sampleIsServer, type, 1, "-m 256 -c"));
                pairings.add(of(sampleIsServer, type, 333, "-m 512 -e"));
                pairings.add(of(sampleIsServer, type, 4096, "-m 1024 -c -e"));
                pairings.add(of(sampleIsServer, type, 16_385, "-m 2048"));
                // Under emulation, the software device handles some hundred packets of 4 KiB a second. With 16 queue
                // pairs, rxe retransmits all messages after the C program's timeout of 67 ms, and overflows the socket.
                pairings.add(of(sampleIsServer, type, 65_536, "-m 4096 -c" + (type.equals("srq") ? " -q 4" : "")));
            }
            pairings.add(of(sampleIsServer, "ud", 1, "-c"));
            pairings.add(of(sampleIsServer, "ud", 256, "-e"));
            pairings.add(of(sampleIsServer, "ud", 1000, "-c -e"));
            pairings.add(of(sampleIsServer, "ud", 4096, "-c"));
        }
        return pairings;
    }

    private static Pairing of(boolean sampleIsServer, String type, int size, String options) {
        return new Pairing(sampleIsServer, type, size, List.of(options.split(" ")));
    }

    /** {@return server, client, type and options in one line} */
    String name() {
        return (sampleIsServer ? "java server, c client: " : "c server, java client: ") + type + " -s " + size + " "
                + String.join(" ", options);
    }

    /** {@return the number of queue pairs of each side} */
    int queuePairs() {
        int option = options.indexOf("-q");
        if (option >= 0) {
            return Integer.parseInt(options.get(option + 1));
        }
        return type.equals("srq") ? SRQ_QUEUE_PAIRS : 1;
    }

    /** {@return the options of both sides} */
    List<String> arguments(int port, int iterations) {
        List<String> arguments = new ArrayList<>(
                List.of("-p", "" + port, "-s", "" + size, "-n", "" + iterations));
        arguments.addAll(options);
        return arguments;
    }
}
