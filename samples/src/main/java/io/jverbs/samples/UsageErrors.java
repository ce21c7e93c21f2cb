package io.jverbs.samples;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes wrong arguments in one sentence: which part is wrong, its value, and what is allowed. */
final class UsageErrors {
    private UsageErrors() {}

    /** {@return the sentence, without a full stop} */
    static String describe(ParameterException e) {
        CommandSpec sample = e.getCommandLine().getCommandSpec();
        if (e instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().getFirst();
            return unmatched.isUnknownOption() ? unknownOption(argument, sample) : unexpected(argument, sample);
        }
        if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
            ArgSpec argument = missing.getMissing().getFirst();
            return name(argument) + " needs a value, " + argument.paramLabel();
        }
        if (e instanceof OverwrittenOptionException twice) {
            return name(twice.getOverwritten()) + " is given twice";
        }
        if (e.getArgSpec() != null && e.getValue() != null && takesNoValue(e.getArgSpec())) {
            return name(e.getArgSpec()) + " " + e.getValue() + ": this option takes no value";
        }
        if (e.getArgSpec() != null && e.getValue() != null) {
            return name(e.getArgSpec()) + " " + e.getValue() + " is not " + kind(e.getArgSpec().type());
        }
        return e.getMessage();
    }

    private static boolean takesNoValue(ArgSpec argument) {
        return argument.isOption() && argument.type() == boolean.class;
    }

    private static String unknownOption(String argument, CommandSpec sample) {
        String option = argument.replaceFirst("=.*", "");
        List<String> names = sample.options().stream().filter(each -> !each.hidden()).map(OptionSpec::longestName)
                .sorted().toList();
        return "unknown option " + option + suggestion(option, names) + "; allowed are " + String.join(", ", names);
    }

    private static String unexpected(String argument, CommandSpec sample) {
        String allowed = sample.positionalParameters().stream().map(ArgSpec::paramLabel)
                .collect(Collectors.joining(" "));
        return "unexpected argument " + argument + "; "
                + (allowed.isEmpty() ? "only options are allowed" : "only " + allowed + " and options are allowed");
    }

    /** {@return the nearest of some names as a question in parentheses, after a space; nothing if none is near} */
    static String suggestion(String word, Collection<String> names) {
        return NearestName.find(word, names).map(name -> " (did you mean " + name + "?)").orElse("");
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static String kind(Class<?> type) {
        boolean integer = List.of(int.class, Integer.class, long.class, Long.class).contains(type);
        return integer ? "an integer" : type == double.class ? "a number" : "a " + type.getSimpleName();
    }
}
