package io.jverbs.soft.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** The inputs that the fuzzer kept because each reaches code that the others do not, and those that once failed. */
final class Corpus {
    private static final String RESOURCE = "corpus.txt";

    private Corpus() {}

    static List<byte[]> inputs() throws IOException {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Corpus.class.getResourceAsStream(RESOURCE), StandardCharsets.US_ASCII))) {
            return lines.lines().filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(HexFormat.of()::parseHex).toList();
        }
    }

    /** Writes each input to a file of its own, as Jazzer wants them. */
    static void unpack(Path folder) throws IOException {
        Files.createDirectories(folder);
        int number = 0;
        for (byte[] input : inputs()) {
            Files.write(folder.resolve("seed-" + number++), input);
        }
    }
}
