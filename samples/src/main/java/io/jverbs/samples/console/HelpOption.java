package io.jverbs.samples.console;

import picocli.CommandLine.Option;

/** The help option of every sample. */
public final class HelpOption {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this help.")
    private boolean help;
}
