package io.jverbs.soft.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** The fuzzing corpus: inputs that each cover code that no other input covers, and inputs that failed once. */
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

    /** Writes each input to a separate file, the format that Jazzer reads. */
    static void unpack(Path folder) throws IOException {
        Files.createDirectories(folder);
        int number = 0;
        for (byte[] input : inputs()) {
            Files.write(folder.resolve("seed-" + number++), input);
        }
    }
}
