# What starts the program of a module, for samples/run and bench/run, which set root, the checkout, and module, and source this;
# sources, if it is set, has folders beside the modules' src/main that go into the jar.
# Builds what is missing or older than its source, and finds a JDK 22 or later. What is built is used as it is from a
# checkout that cannot be written to.

readonly MIN_JDK=22
readonly jar=$root/$module/target/$module.jar
readonly stamp=$root/$module/target/run.stamp

fail() {
    printf '%s/run: %s\n' "$module" "$1" >&2
    exit 1
}

# The feature release of the JDK or JRE in a folder: 0 if it is none.
release_of() {
    local line version=0
    if [[ -x $1/bin/java && -r $1/release ]]; then
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

# Sets java: JAVA_HOME if it will do, else the java of the PATH, else the latest one in the usual places.
find_java() {
    local home release best=0
    if [[ -n ${JAVA_HOME:-} ]] && (($(release_of "$JAVA_HOME") >= MIN_JDK)); then
        java=$JAVA_HOME/bin/java
        return
    fi
    if java=$(command -v java); then
        java=$(readlink -f -- "$java" 2>/dev/null || printf '%s' "$java")
        if (($(release_of "$(dirname -- "$(dirname -- "$java")")") >= MIN_JDK)); then
            return
        fi
    fi
    java=
    for home in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/*jdk* /opt/java/* \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        release=$(release_of "$home")
        if ((release >= MIN_JDK && release > best)); then
            best=$release
            java=$home/bin/java
        fi
    done
    [[ -n $java ]] || fail "no JDK $MIN_JDK or later was found (JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks):\
 install one, or set JAVA_HOME to it."
}

# Whether a source is younger than both the last build here and the jar.
stale() {
    local newest=$jar
    if [[ -e $stamp && $stamp -nt $jar ]]; then
        newest=$stamp
    fi
    [[ -n $(find "$root/pom.xml" "$root"/{ffm-bindings,jverbs,softdevice,"$module"}/pom.xml \
        "$root"/{ffm-bindings,jverbs,softdevice,"$module"}/src/main ${sources[@]+"${sources[@]}"} -newer "$newest" -print 2>/dev/null | head -n 1) ]]
}

build() {
    command -v mvn >/dev/null || fail "$module is not built, and there is no mvn on the PATH: install Maven."
    printf '%s/run: building %s...\n' "$module" "$module" >&2
    work=$(mktemp -d)
    trap 'rm -rf -- "$work"' EXIT
    touch -- "$work/started"
    # The jar comes last: where it is, all of target/lib is.
    rm -rf -- "$jar" "$root/$module/target/lib"
    # Maven looks for JDKs in JAVA*_HOME too. The tests are compiled, not run; format is for "mvn verify" to judge.
    export JAVA_OF_LAUNCHER_HOME=${java%/bin/java}
    if ! command -v java >/dev/null && [[ -z ${JAVA_HOME:-} ]]; then
        export JAVA_HOME=$JAVA_OF_LAUNCHER_HOME
    fi
    if ! (cd -- "$root" && mvn -B -q -DskipTests -Dformatter.skip=true -pl "$module" -am package) \
        </dev/null >"$work/log" 2>&1; then
        rm -f -- "$jar"
        cat -- "$work/log" >&2
        fail "the build failed: see above."
    fi
    # As old as the beginning of the build: what was edited meanwhile is younger.
    touch -r "$work/started" -- "$stamp"
    rm -rf -- "$work"
    trap - EXIT
}

build_if_needed() {
    if [[ -e $jar ]] && { [[ ! -w $root/$module/target ]] || ! stale; }; then
        return
    fi
    [[ -w $root/$module ]] || fail "$module is not built, and $root cannot be written to."
    # One build at a time, where there is flock.
    exec 9<"$root/$module/pom.xml"
    if command -v flock >/dev/null; then
        flock 9
    fi
    if [[ ! -e $jar ]] || stale; then
        build
    fi
    exec 9<&-
}

# Sets properties to the arguments that are -Dproperty=value before any "--", and arguments to all others.
split() {
    properties=()
    arguments=()
    while (($# > 0)); do
        case $1 in
            --)
                arguments+=("$@")
                break
                ;;
            -D?*) properties+=("$1") ;;
            *) arguments+=("$1") ;;
        esac
        shift
    done
}

# Becomes the program: launch MAIN_CLASS ARGUMENT... A function choose_jvm_options may set jvm_options, knowing java.
launch() {
    local main=$1
    shift
    split "$@"
    find_java
    build_if_needed
    local jvm_options=()
    if declare -F choose_jvm_options >/dev/null; then
        choose_jvm_options
    fi
    # For the native device; the software device needs no such flag.
    exec "$java" --enable-native-access=ALL-UNNAMED ${jvm_options[@]+"${jvm_options[@]}"} \
        ${properties[@]+"${properties[@]}"} -cp "$jar" "$main" ${arguments[@]+"${arguments[@]}"}
}
