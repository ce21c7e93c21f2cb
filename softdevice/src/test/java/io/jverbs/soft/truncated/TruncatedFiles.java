package io.jverbs.soft.truncated;

import io.jverbs.QpType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Repeatedly truncates mapped files under registered memory and checks how requests that name this memory complete.
 * Prints the deviations, the number of warnings that each device should have logged, and in the last line the number of
 * rounds. Arguments: a folder for the files, a {@link WarmUp}, and pairs of a path (see {@link NetworkPath}) and the
 * number of rounds of each case on it.
 */
public final class TruncatedFiles {
    /** How many requests succeed before the first file is truncated; less for code that other paths have warmed. */
    private static final int WARM_UP = 2_000;
    private static final int WARM_UP_AGAIN = 200;
    /** Code that is not compiled needs no warm-up. */
    private static final boolean IS_INTERPRETED = System.getProperty("java.vm.info").contains("interpreted");

    private final RoundLog log = new RoundLog();
    private final Path folder;
    private final WarmUp warmUp;

    private TruncatedFiles(Path folder, WarmUp warmUp) {
        this.folder = folder;
        this.warmUp = warmUp;
    }

    public static void main(String[] arguments) throws IOException {
        TruncatedFiles run = new TruncatedFiles(Path.of(arguments[0]), WarmUp.valueOf(arguments[1]));
        for (int i = 2; i < arguments.length; i += 2) {
            run.all(NetworkPath.of(arguments[i]), Integer.parseInt(arguments[i + 1]));
        }
        System.exit(run.log.summarize());
    }

    private void all(NetworkPath path, int each) throws IOException {
        for (QpType type : List.of(QpType.RC, QpType.UC, QpType.UD)) {
            for (boolean shared : new boolean[] {false, true}) {
                try (RequestRounds rounds = new RequestRounds(log, path, type, shared, folder)) {
                    rounds.warmUp(warmUp, path.isVariant() || shared || IS_INTERPRETED ? WARM_UP_AGAIN : WARM_UP);
                    rounds.run(each);
                }
            }
        }
        try (InlineRounds rounds = new InlineRounds(log, path, folder)) {
            rounds.run(each);
        }
        try (MulticastRounds rounds = new MulticastRounds(log, path, folder)) {
            rounds.run(each);
        }
        try (CopyRounds rounds = new CopyRounds(log, path, folder)) {
            rounds.run(each);
        }
    }
}
