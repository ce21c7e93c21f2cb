package io.jverbs.samples;

import picocli.CommandLine.Option;

/** The option that every sample has. */
public final class HelpOption {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this help.")
    private boolean help;
}
