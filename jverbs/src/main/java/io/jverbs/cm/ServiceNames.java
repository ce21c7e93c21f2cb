package io.jverbs.cm;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Finds the ports of services by name, in the file of services(5). */
final class ServiceNames {
    private static final Path FILE = Path.of("/etc/services");
    private static final int MAX_PORT = 0xFFFF;
    private static final int NOT_FOUND = -1;

    private ServiceNames() {}

    /** Returns the port of a service: a decimal number, or a name of the protocol of the port space. */
    static int port(String service, PortSpace portSpace) {
        return port(service, portSpace, FILE);
    }

    static int port(String service, PortSpace portSpace, Path file) {
        if (!service.isEmpty() && service.chars().allMatch(each -> each >= '0' && each <= '9')) {
            return number(service);
        }
        String protocol = portSpace.qpType() == QpType.UD ? "udp" : "tcp";
        int found;
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            found = lines.mapToInt(line -> portOf(line, service, protocol)).filter(port -> port != NOT_FOUND)
                    .findFirst().orElse(NOT_FOUND);
        } catch (IOException | UncheckedIOException e) {
            VerbsException failure = unknown(service, file + " cannot be read");
            failure.initCause(e);
            throw failure;
        }
        if (found == NOT_FOUND) {
            throw unknown(service, file + " does not have it for " + protocol);
        }
        return found;
    }

    private static VerbsException unknown(String service, String why) {
        return new VerbsException("getaddrinfo", Errno.EINVAL,
                "service \"" + service + "\" has no port, " + why + ": check the name, or give a port, 0 to "
                        + MAX_PORT);
    }

    private static int number(String digits) {
        String significant = digits.replaceFirst("^0+(?=.)", "");
        if (significant.length() > Integer.toString(MAX_PORT).length() || Integer.parseInt(significant) > MAX_PORT) {
            throw new VerbsException("getaddrinfo", Errno.EINVAL, "port " + digits + " is outside 0.." + MAX_PORT);
        }
        return Integer.parseInt(significant);
    }

    /** Returns the port in a line if it is about a service, by its name or an alias, and a protocol. */
    private static int portOf(String line, String service, String protocol) {
        List<String> words = Arrays.asList(line.replaceFirst("#.*", "").strip().split("\\s+"));
        if (words.size() < 2 || !words.get(0).equals(service) && !words.subList(2, words.size()).contains(service)) {
            return NOT_FOUND;
        }
        String[] place = words.get(1).split("/", -1);
        boolean isPort = place.length == 2 && place[1].equals(protocol) && place[0].matches("\\d{1,5}")
                && Integer.parseInt(place[0]) <= MAX_PORT;
        return isPort ? Integer.parseInt(place[0]) : NOT_FOUND;
    }
}
