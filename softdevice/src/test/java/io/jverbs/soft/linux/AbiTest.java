package io.jverbs.soft.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the constants of {@link Abi} and {@link Libc} with those of the C compilers for x86-64 and aarch64. */
final class AbiTest {
    /** The system property that makes a missing compiler a failure if it is true. */
    private static final String REQUIRED = "jverbs.abi.required";
    private static final String HEADERS = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <linux/udp.h>
            #include <netinet/in.h>
            #include <stddef.h>
            #include <stdint.h>
            #include <sys/epoll.h>
            #include <sys/eventfd.h>
            #include <sys/socket.h>
            #include <sys/uio.h>
            """;

    @TempDir
    private Path folder;

    private static Map<String, Integer> facts() {
        Map<String, Integer> facts = new LinkedHashMap<>();
        facts.put("AF_INET", Abi.AF_INET);
        facts.put("AF_INET6", Abi.AF_INET6);
        facts.put("SOCK_DGRAM", Abi.SOCK_DGRAM);
        facts.put("SOCK_NONBLOCK", Abi.SOCK_NONBLOCK);
        facts.put("SOCK_CLOEXEC", Abi.SOCK_CLOEXEC);
        facts.put("SOL_SOCKET", Abi.SOL_SOCKET);
        facts.put("SO_REUSEADDR", Abi.SO_REUSEADDR);
        facts.put("SO_SNDBUF", Abi.SO_SNDBUF);
        facts.put("SO_RCVBUF", Abi.SO_RCVBUF);
        facts.put("IPPROTO_IP", Abi.IPPROTO_IP);
        facts.put("IP_MTU_DISCOVER", Abi.IP_MTU_DISCOVER);
        facts.put("IP_PMTUDISC_DO", Abi.IP_PMTUDISC_DO);
        facts.put("IPV6_PMTUDISC_DO", Abi.IP_PMTUDISC_DO);
        facts.put("IP_MULTICAST_IF", Abi.IP_MULTICAST_IF);
        facts.put("IP_ADD_MEMBERSHIP", Abi.IP_ADD_MEMBERSHIP);
        facts.put("IP_MULTICAST_ALL", Abi.IP_MULTICAST_ALL);
        facts.put("IPPROTO_IPV6", Abi.IPPROTO_IPV6);
        facts.put("IPV6_MULTICAST_IF", Abi.IPV6_MULTICAST_IF);
        facts.put("IPV6_MULTICAST_HOPS", Abi.IPV6_MULTICAST_HOPS);
        facts.put("IPV6_JOIN_GROUP", Abi.IPV6_JOIN_GROUP);
        facts.put("IPV6_MTU_DISCOVER", Abi.IPV6_MTU_DISCOVER);
        facts.put("IPPROTO_UDP", Abi.SOL_UDP);
        facts.put("UDP_SEGMENT", Abi.UDP_SEGMENT);
        facts.put("UDP_GRO", Abi.UDP_GRO);
        facts.put("EFD_NONBLOCK", Abi.EFD_NONBLOCK);
        facts.put("EFD_CLOEXEC", Abi.EFD_CLOEXEC);
        facts.put("EPOLL_CLOEXEC", Abi.EPOLL_CLOEXEC);
        facts.put("EPOLL_CTL_ADD", Abi.EPOLL_CTL_ADD);
        facts.put("EPOLL_CTL_DEL", Abi.EPOLL_CTL_DEL);
        facts.put("EPOLLIN", Abi.EPOLLIN);
        facts.put("(int) EPOLLET", Abi.EPOLLET);
        member(facts, "struct iovec", "iov_base", "void *", Abi.IOVEC_BASE);
        member(facts, "struct iovec", "iov_len", "uint64_t", Abi.IOVEC_LEN);
        facts.put("sizeof(struct iovec)", Abi.IOVEC_BYTES);
        member(facts, "struct msghdr", "msg_name", "void *", Abi.MSGHDR_NAME);
        member(facts, "struct msghdr", "msg_namelen", "uint32_t", Abi.MSGHDR_NAMELEN);
        member(facts, "struct msghdr", "msg_iov", "void *", Abi.MSGHDR_IOV);
        member(facts, "struct msghdr", "msg_iovlen", "uint64_t", Abi.MSGHDR_IOVLEN);
        member(facts, "struct msghdr", "msg_control", "void *", Abi.MSGHDR_CONTROL);
        member(facts, "struct msghdr", "msg_controllen", "uint64_t", Abi.MSGHDR_CONTROLLEN);
        facts.put("sizeof(struct msghdr)", Abi.MSGHDR_BYTES);
        member(facts, "struct mmsghdr", "msg_hdr", "struct msghdr", 0);
        member(facts, "struct mmsghdr", "msg_len", "uint32_t", Abi.MMSGHDR_LEN);
        facts.put("sizeof(struct mmsghdr)", Abi.MMSGHDR_BYTES);
        member(facts, "struct cmsghdr", "cmsg_len", "uint64_t", Abi.CMSGHDR_LEN);
        member(facts, "struct cmsghdr", "cmsg_level", "int32_t", Abi.CMSGHDR_LEVEL);
        member(facts, "struct cmsghdr", "cmsg_type", "int32_t", Abi.CMSGHDR_TYPE);
        facts.put("CMSG_LEN(0)", Abi.CMSG_DATA);
        facts.put("CMSG_SPACE(sizeof(uint16_t))", Abi.CMSG_SPACE_8);
        facts.put("CMSG_SPACE(sizeof(int))", Abi.CMSG_SPACE_8);
        member(facts, "struct sockaddr_in", "sin_family", "uint16_t", Abi.SOCKADDR_FAMILY);
        member(facts, "struct sockaddr_in", "sin_port", "uint16_t", Abi.SOCKADDR_PORT);
        member(facts, "struct sockaddr_in", "sin_addr", "uint32_t", Abi.SOCKADDR_IN_ADDR);
        facts.put("sizeof(struct sockaddr_in)", Abi.SOCKADDR_IN_BYTES);
        member(facts, "struct sockaddr_in6", "sin6_family", "uint16_t", Abi.SOCKADDR_FAMILY);
        member(facts, "struct sockaddr_in6", "sin6_port", "uint16_t", Abi.SOCKADDR_PORT);
        member(facts, "struct sockaddr_in6", "sin6_addr", "char[16]", Abi.SOCKADDR_IN6_ADDR);
        member(facts, "struct sockaddr_in6", "sin6_scope_id", "uint32_t", Abi.SOCKADDR_IN6_SCOPE);
        facts.put("sizeof(struct sockaddr_in6)", Abi.SOCKADDR_IN6_BYTES);
        member(facts, "struct ip_mreqn", "imr_multiaddr", "uint32_t", Abi.IP_MREQN_MULTIADDR);
        member(facts, "struct ip_mreqn", "imr_ifindex", "int32_t", Abi.IP_MREQN_IFINDEX);
        facts.put("sizeof(struct ip_mreqn)", Abi.IP_MREQN_BYTES);
        member(facts, "struct ipv6_mreq", "ipv6mr_multiaddr", "char[16]", Abi.IPV6_MREQ_MULTIADDR);
        member(facts, "struct ipv6_mreq", "ipv6mr_interface", "uint32_t", Abi.IPV6_MREQ_IFINDEX);
        facts.put("sizeof(struct ipv6_mreq)", Abi.IPV6_MREQ_BYTES);
        member(facts, "struct epoll_event", "events", "uint32_t", Abi.EPOLL_EVENT_EVENTS);
        facts.put("sizeof(struct epoll_event) <= " + Abi.MAX_EPOLL_EVENT_BYTES, 1);
        facts.put("EINTR", Libc.EINTR);
        facts.put("EIO", Libc.EIO);
        facts.put("EAGAIN", Libc.EAGAIN);
        facts.put("EWOULDBLOCK", Libc.EAGAIN);
        facts.put("EACCES", Libc.EACCES);
        facts.put("EINVAL", Libc.EINVAL);
        facts.put("EMSGSIZE", Libc.EMSGSIZE);
        facts.put("EOPNOTSUPP", Libc.EOPNOTSUPP);
        facts.put("EADDRINUSE", Libc.EADDRINUSE);
        facts.put("EADDRNOTAVAIL", Libc.EADDRNOTAVAIL);
        facts.put("ENOENT", Libc.ENOENT);
        facts.put("EEXIST", Libc.EEXIST);
        return facts;
    }

    private static void member(Map<String, Integer> facts, String struct, String member, String type, int offset) {
        facts.put("offsetof(%s, %s)".formatted(struct, member), offset);
        facts.put("sizeof(((%s *) 0)->%s) - sizeof(%s)".formatted(struct, member, type), 0);
    }

    /**
     * Returns the error messages of a compiler. Aborts the test if there is no such compiler, or fails it if required.
     */
    private String errors(String compiler, Map<String, Integer> facts) throws IOException, InterruptedException {
        StringBuilder code = new StringBuilder(HEADERS);
        facts.forEach((expression, value) -> code
                .append("_Static_assert((%s) == %d, \"not %d\");%n".formatted(expression, value, value)));
        Path source = Files.writeString(folder.resolve("facts.c"), code);
        Process process;
        try {
            process = new ProcessBuilder(compiler, "-fsyntax-only", source.toString()).redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            String reason = compiler + " was not found";
            return Boolean.getBoolean(REQUIRED) ? fail(reason) : abort(reason);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(output.isEmpty(), process.waitFor() == 0, output);
        return output;
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcc", "aarch64-linux-gnu-gcc"})
    void structsAndConstantsMatchTheCompiler(String compiler) throws Exception {
        assertEquals("", errors(compiler, facts()));
    }

    @Test
    void aWrongOffsetIsDetected() throws Exception {
        Map<String, Integer> wrong = facts();
        wrong.put("offsetof(struct msghdr, msg_iov)", Abi.MSGHDR_IOV + 4);

        assertTrue(errors("gcc", wrong).contains("not 20"));
    }
}
