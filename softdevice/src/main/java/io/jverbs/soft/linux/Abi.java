package io.jverbs.soft.linux;

/**
 * Constants and struct layouts of Linux's C library that are the same on x86-64 and aarch64. Offsets and sizes are in
 * bytes. A test compares them with those of the C compiler.
 */
public final class Abi {
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;

    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;

    public static final int IPPROTO_IP = 0;
    public static final int IP_TOS = 1;
    public static final int IP_MTU_DISCOVER = 10;
    public static final int IP_PMTUDISC_DO = 2;
    public static final int IP_RECVTOS = 13;
    public static final int IP_MULTICAST_IF = 32;
    public static final int IP_ADD_MEMBERSHIP = 35;
    public static final int IP_MULTICAST_ALL = 49;

    public static final int IPPROTO_IPV6 = 41;
    public static final int IPV6_MULTICAST_IF = 17;
    public static final int IPV6_MULTICAST_HOPS = 18;
    public static final int IPV6_JOIN_GROUP = 20;
    public static final int IPV6_MTU_DISCOVER = 23;
    public static final int IPV6_RECVTCLASS = 66;
    public static final int IPV6_TCLASS = 67;

    public static final int SOL_UDP = 17;
    public static final int UDP_SEGMENT = 103;
    public static final int UDP_GRO = 104;

    public static final int EFD_NONBLOCK = 0x800;
    public static final int EFD_CLOEXEC = 0x80000;
    public static final int EPOLL_CLOEXEC = 0x80000;
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLLIN = 1;
    public static final int EPOLLET = 1 << 31;

    public static final int IOVEC_BASE = 0;
    public static final int IOVEC_LEN = 8;
    public static final int IOVEC_BYTES = 16;

    public static final int MSGHDR_NAME = 0;
    public static final int MSGHDR_NAMELEN = 8;
    public static final int MSGHDR_IOV = 16;
    public static final int MSGHDR_IOVLEN = 24;
    public static final int MSGHDR_CONTROL = 32;
    public static final int MSGHDR_CONTROLLEN = 40;
    public static final int MSGHDR_BYTES = 56;

    /** The offset of msg_len. A struct mmsghdr begins with its struct msghdr. */
    public static final int MMSGHDR_LEN = 56;
    public static final int MMSGHDR_BYTES = 64;

    public static final int CMSGHDR_LEN = 0;
    public static final int CMSGHDR_LEVEL = 8;
    public static final int CMSGHDR_TYPE = 12;
    /** The offset of a control message's data, which is also the length of a control message without data. */
    public static final int CMSG_DATA = 16;
    /** The space that a control message with up to 8 bytes of data takes. */
    public static final int CMSG_SPACE_8 = 24;

    public static final int SOCKADDR_FAMILY = 0;
    public static final int SOCKADDR_PORT = 2;
    public static final int SOCKADDR_IN_ADDR = 4;
    public static final int SOCKADDR_IN_BYTES = 16;
    public static final int SOCKADDR_IN6_ADDR = 8;
    public static final int SOCKADDR_IN6_SCOPE = 24;
    public static final int SOCKADDR_IN6_BYTES = 28;

    public static final int IP_MREQN_MULTIADDR = 0;
    public static final int IP_MREQN_IFINDEX = 8;
    public static final int IP_MREQN_BYTES = 12;
    public static final int IPV6_MREQ_MULTIADDR = 0;
    public static final int IPV6_MREQ_IFINDEX = 16;
    public static final int IPV6_MREQ_BYTES = 20;

    /** The offset of the events. It is 0 in all layouts of the struct; the other fields are not used. */
    public static final int EPOLL_EVENT_EVENTS = 0;
    public static final int MAX_EPOLL_EVENT_BYTES = 16;

    private Abi() {}
}
