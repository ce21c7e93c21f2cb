# Functions and options that the scripts of this folder share. Sourcing it changes neither options nor the current
# folder. Paths are relative to the root of the checkout, to which all scripts but rxe-vm change first.
# shellcheck shell=bash disable=SC2034,SC2154 # The scripts use and set variables.

# The name that precedes messages.
script_name=${0##*/}
# What messages about wrong arguments end with.
see_options="see the first lines of .ci/$script_name"

source "$(dirname -- "${BASH_SOURCE[0]}")/../.launch/launch.bash"

# say MESSAGE: prints a message after the name of the script.
say() {
    printf '%s: %s\n' "$script_name" "$1"
}

# die STATUS MESSAGE: prints a message to standard error and exits.
die() {
    say "$2" >&2
    exit "$1"
}

# usage_error MESSAGE: exits with the status EX_USAGE of sysexits.h.
usage_error() {
    die 64 "$1"
}

# unknown_option OPTION ALLOWED: exits with the options that are allowed.
unknown_option() {
    usage_error "unknown option $1; allowed are $2; $see_options"
}

# wrong_value OPTION VALUE ALLOWED: exits with the values that are allowed.
wrong_value() {
    usage_error "$1 is \"$2\"; allowed is $3; $see_options"
}

# no_value OPTION ALLOWED: exits since the value of the last option is missing.
no_value() {
    usage_error "the value of $1 is missing; allowed is $2; $see_options"
}

# integer_variable NAME DEFAULT MOST: sets the variable of that name to the default if it is empty or not set. Exits if
# it is not an integer from 1 to MOST.
integer_variable() {
    local value=${!1:-$2}
    if ! [[ $value =~ ^[1-9][0-9]{0,8}$ ]] || ((value > $3)); then
        wrong_value "the variable $1" "$value" "an integer from 1 to $3"
    fi
    printf -v "$1" %s "$value"
}

# timeout_variable DEFAULT: checks RXE_TIMEOUT, the time limit of the virtual machine in seconds, or sets it.
timeout_variable() {
    integer_variable RXE_TIMEOUT "$1" 86400
}

# parallel_variable DEFAULT: checks RXE_PARALLEL, the number of tests that run at the same time, or sets it.
parallel_variable() {
    integer_variable RXE_PARALLEL "$1" 64
}

# check_selection OTHERS ARGUMENT...: exits if an argument is not an option of JUnit's console launcher that selects
# tests. OTHERS are the other options of the script, for the message.
check_selection() {
    local others=$1 argument needs_value=no
    shift
    for argument; do
        case $argument in
            --select-*=* | --include-*=* | --exclude-*=* | -[a-zA-Z]=*) needs_value=no ;;
            --select-* | --include-* | --exclude-* | -[a-zA-Z]) needs_value=yes ;;
            *)
                [[ $needs_value == yes && $argument != -* ]] ||
                    unknown_option "$argument" "${others:+$others, }--select-..., --include-..., --exclude-... of JUnit"
                needs_value=no
                ;;
        esac
    done
}

# no_arguments ARGUMENT...: exits if there is an argument, for scripts that take none.
no_arguments() {
    (($# == 0)) || usage_error "unknown argument $1; this script takes none; $see_options"
}

# require_java: sets java_home, and exits if there is no JDK 22 or later.
require_java() {
    find_java javac || die 69 "$NO_JAVA."
}

# Under emulation a JVM is ten to fifteen times slower. The C1 compiler and the serial collector need the least time.
emulation_options=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1)
# A class data archive, made by a training run outside of the virtual machine, saves loading and linking.
archive_options=(-Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off)

# join_class_path JAR...: prints a class path.
join_class_path() {
    local IFS=:
    printf '%s' "$*"
}

# contract_class_path [FOLDER]: sets class_path to the jars of the contract suite, after the jars in the folder.
contract_class_path() {
    class_path=$(join_class_path ${1:+"$1"/*.jar} jverbs/target/jverbs-*.jar \
        softdevice/target/jverbs-softdevice-*.jar jverbs/target/test-lib/*.jar)
}

# prepare_contract FOLDER: empties the folder, makes FOLDER/lib with the jar of the fixtures of rxe, and sets java_home
# and class_path.
prepare_contract() {
    require_java
    rm -rf -- "$1"
    mkdir -p -- "$1/lib"
    "$java_home/bin/jar" --create --file "$1/lib/fixtures.jar" -C jverbs/src/rxe/resources .
    contract_class_path "$1/lib"
}

# prepare_interop FOLDER: empties the folder, and sets java_home and class_path for the classes of
# io.jverbs.samples.interop, which run the samples with C programs.
prepare_interop() {
    require_java
    rm -rf -- "$1"
    mkdir -p -- "$1"
    "$java_home/bin/jar" --create --file "$1/tests.jar" -C samples/target/test-classes io/jverbs/samples/interop \
        -C samples/target/test-classes io/jverbs/samples/Run.class \
        -C samples/target/test-classes io/jverbs/samples/TwoSides.class
    # The manifest of samples.jar names the libraries; of jverbs/target/test-lib, only JUnit is needed.
    class_path=$(join_class_path samples/target/samples.jar "$1/tests.jar" jverbs/target/test-lib/junit-*.jar \
        jverbs/target/test-lib/{apiguardian-api,jspecify,open-test-reporting-tooling-spi,opentest4j}-*.jar)
}

# JUnit's console launcher, whose further arguments select tests.
console_launcher=(org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors)
# The same for the contract suite.
contract_suite=("${console_launcher[@]}" --config=junit.jupiter.execution.timeout.testable.method.default=300s)

# run_in_parallel NUMBER: sets parallel_options so that JUnit runs this number of tests at the same time.
run_in_parallel() {
    local parallel=--config=junit.jupiter.execution.parallel
    parallel_options=("$parallel.enabled=true" "$parallel.mode.default=concurrent"
        "$parallel.mode.classes.default=concurrent" "$parallel.config.strategy=fixed"
        "$parallel.config.fixed.parallelism=$1")
}

# An address for a software device of a training run. Scripts that run at the same time have different ones.
training_address=127.1.$(($$ / 256 % 256)).$(($$ % 254 + 1))

# train ARCHIVE LOG ARGUMENT...: runs "${jvm[@]}" with the arguments, outside of the virtual machine, and writes the
# archive of the classes that it loaded. Returns the status of the JVM.
train() {
    local archive=$1 log=$2
    shift 2
    "${jvm[@]}" -XX:ArchiveClassesAtExit="$archive" "$@" >"$log" 2>&1
}

# sample_arguments ARGUMENT...: sets arguments to what a JVM needs to run a sample: properties, the class, the others.
sample_arguments() {
    local argument properties=() others=()
    for argument; do
        if [[ $argument == -D* ]]; then
            properties+=("$argument")
        else
            others+=("$argument")
        fi
    done
    arguments=(${properties[@]+"${properties[@]}"} io.jverbs.samples.Samples "${others[@]}")
}

# prepare_samples FOLDER ARGUMENT...: empties the folder, and sets java_home and jvm, a JVM for the samples with an
# archive of the classes that the sample with the arguments loads on this machine.
prepare_samples() {
    local archive=$1/samples.jsa log=$1/training.log
    require_java
    rm -rf -- "$1"
    mkdir -p -- "$1"
    shift
    jvm=("$java_home/bin/java" "${emulation_options[@]}" "${archive_options[@]}" --enable-native-access=ALL-UNNAMED
        -cp samples/target/samples.jar)
    sample_arguments "$@"
    train "$archive" "$log" "${arguments[@]}" || training_failed "$log"
    jvm+=("-XX:SharedArchiveFile=$archive")
}

# prepare_differential FOLDER: empties the folder, and sets java_home and jvm, a JVM for programs of the contract suite
# with an archive of the classes that the differential test loads for two software devices.
prepare_differential() {
    local archive=$1/classes.jsa log=$1/training.log
    require_java
    rm -rf -- "$1"
    mkdir -p -- "$1"
    contract_class_path
    jvm=("$java_home/bin/java" "${emulation_options[@]}" "${archive_options[@]}" --enable-native-access=ALL-UNNAMED
        -cp "$class_path")
    train "$archive" "$log" io.jverbs.contract.differential.Differential --left soft \
        --right "soft:$training_address" --deviations none --sequences 200 --seed 1 ||
        [[ -s $archive ]] || training_failed "$log"
    jvm+=("-XX:SharedArchiveFile=$archive")
}

# training_failed LOG: prints the end of the log and exits.
training_failed() {
    tail -n 20 -- "$1"
    exit 1
}

# run_inside SECONDS ARGUMENT...: runs this script again in the virtual machine, with --inside before the arguments and
# JAVA_HOME set. SECONDS is the time limit.
run_inside() {
    local seconds=$1
    shift
    require_java
    exec .ci/rxe-vm --timeout "$seconds" --env "JAVA_HOME=$java_home" ".ci/$script_name" --inside "$@"
}

# junit_summary LOG: prints the failures, with their output, and the counts from the output of JUnit's console launcher
# with --details=testfeed; or the end of the output if it has no counts.
junit_summary() {
    awk '
        /:: FAILED$/ { shown = 1; print; next }
        /^JUnit |^Test run / { shown = 0 }
        shown && !/^\t+at (java|jdk|app\/\/org\.junit|org\.junit)/' "$1"
    grep -E '^\[ +[0-9]+ tests (succ|fail|abort)' "$1" || tail -n 20 -- "$1"
}
