# Runs .launch/Launch.java, which builds a module if necessary and runs its program. samples/run and bench/run set root,
# the checkout, and module, source this file, and call: launch MAIN_CLASS ARGUMENT... The scripts of .ci use find_java.
# Sourcing this file changes no options and runs nothing.
# shellcheck shell=bash

readonly MIN_JDK=22
readonly NO_JAVA="there is no JDK $MIN_JDK or later in JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman and ~/.jdks:\
 install one, or set JAVA_HOME to it"

# release_of FOLDER TOOL: prints the feature release of the JDK or JRE in a folder, 0 if there is none with the tool.
release_of() {
    local line version=0
    if [[ ! -x $1/bin/$2 ]]; then
        :
    elif [[ -x $1/bin/java && -r $1/release ]]; then
        while IFS= read -r line; do
            if [[ $line =~ ^JAVA_VERSION=\"?([0-9]+) ]]; then
                version=${BASH_REMATCH[1]}
            fi
        done <"$1/release"
    elif [[ -x $1/bin/java ]]; then
        line=$("$1/bin/java" -version 2>&1 || true)
        if [[ $line =~ version\ \"([0-9]+) ]]; then
            version=${BASH_REMATCH[1]}
        fi
    fi
    printf '%s' "$version"
}

# find_java [TOOL]: sets java_home to JAVA_HOME or the JDK in PATH if it is recent enough, otherwise to the latest JDK
# in the usual places. It has the tool, java by default. Returns 1 if there is none.
find_java() {
    local tool=${1:-java} home java release best=0
    if [[ -n ${JAVA_HOME:-} ]] && (($(release_of "$JAVA_HOME" "$tool") >= MIN_JDK)); then
        java_home=$JAVA_HOME
        return
    fi
    if java=$(command -v java); then
        java=$(readlink -f -- "$java" 2>/dev/null || printf '%s' "$java")
        java_home=$(dirname -- "$(dirname -- "$java")")
        if (($(release_of "$java_home" "$tool") >= MIN_JDK)); then
            return
        fi
    fi
    java_home=
    for home in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/*jdk* /opt/java/* \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        release=$(release_of "$home" "$tool")
        if ((release >= MIN_JDK && release > best)); then
            best=$release
            java_home=$home
        fi
    done
    [[ -n $java_home ]]
}

# Becomes the launcher. It is compiled once, which takes longer than its other work. In a checkout that is not writable,
# java compiles it in memory each time.
launch() {
    local source=$root/.launch/Launch.java classes=$root/$module/target/launch temporary
    find_java || {
        printf '%s/run: %s.\n' "$module" "$NO_JAVA" >&2
        exit 1
    }
    if [[ ! $classes/Launch.class -nt $source && -x $java_home/bin/javac ]] && mkdir -p -- "$classes" 2>/dev/null &&
        [[ -w $classes ]]; then
        temporary=$(mktemp -d -- "$classes/XXXXXX")
        "$java_home/bin/javac" --release "$MIN_JDK" -d "$temporary" "$source"
        mv -f -- "$temporary/Launch.class" "$classes/"
        rmdir -- "$temporary"
    fi
    set -- "$root" "$module" "$@"
    if [[ $classes/Launch.class -nt $source ]]; then
        set -- -cp "$classes" Launch "$@"
    else
        set -- "$source" "$@"
    fi
    exec "$java_home/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$@"
}
