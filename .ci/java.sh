# Sets java_home to a JDK 22 or later: JAVA_HOME's if it is one, otherwise the first that is found.
java_home=
for candidate in "${JAVA_HOME:-/nonexistent}" /usr/lib/jvm/* /usr/java/* /opt/*jdk* ~/.sdkman/candidates/java/*; do
    if [[ -x $candidate/bin/javac && -r $candidate/release ]] \
        && grep -qE '^JAVA_VERSION="?(2[2-9]|[3-9][0-9])' "$candidate/release"; then
        java_home=$candidate
        break
    fi
done
