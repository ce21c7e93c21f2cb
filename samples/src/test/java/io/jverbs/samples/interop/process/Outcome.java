package io.jverbs.samples.interop.process;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How one side of a ping-pong ended.
 *
 * @param status the exit status, or a phrase if there is none
 * @param lines the lines of standard output and standard error
 */
public record Outcome(String status, List<String> lines) {

    /** {@return the status and the lines, for a failure message} */
    public String describe(String side) {
        return lines.stream().map(line -> "\n    " + line)
                .collect(Collectors.joining("", "\n  " + side + ", status " + status + ":", ""));
    }
}
