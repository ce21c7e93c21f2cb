package io.jverbs;

/**
 * The error numbers of verbs, with the values of Linux on every operating system; see errno(3). The documentation of
 * each method says what an error means there.
 */
public enum Errno {
    /** Operation not permitted: a privilege is missing, or objects belong to different protection domains. */
    EPERM(1, "Operation not permitted"),
    /** No such object or entry. */
    ENOENT(2, "No such file or directory"),
    /** The wait was interrupted. */
    EINTR(4, "Interrupted system call"),
    /** The device failed or was removed. */
    EIO(5, "Input/output error"),
    /** No such device, or an address beyond its end. */
    ENXIO(6, "No such device or address"),
    /** The file or socket is closed. */
    EBADF(9, "Bad file descriptor"),
    /** Nothing is available at present. Try again. */
    EAGAIN(11, "Resource temporarily unavailable"),
    /** A queue is full, a limit is reached, or memory cannot be locked. */
    ENOMEM(12, "Cannot allocate memory"),
    /** Permission denied. */
    EACCES(13, "Permission denied"),
    /** The memory is not accessible. */
    EFAULT(14, "Bad address"),
    /** Another object still uses this object. */
    EBUSY(16, "Device or resource busy"),
    /** The entry exists already. */
    EEXIST(17, "File exists"),
    /** No such device. */
    ENODEV(19, "No such device"),
    /** A path names a file where a directory is required. */
    ENOTDIR(20, "Not a directory"),
    /** A path names a directory where a file is required. */
    EISDIR(21, "Is a directory"),
    /** An argument is out of range, or conflicts with other arguments. */
    EINVAL(22, "Invalid argument"),
    /** The system has too many open files. */
    ENFILE(23, "Too many open files in system"),
    /** The process has too many open files. */
    EMFILE(24, "Too many open files"),
    /** A table of the device is full. */
    ENOSPC(28, "No space left on device"),
    /** The file system is read-only. */
    EROFS(30, "Read-only file system"),
    /** The other end is closed. */
    EPIPE(32, "Broken pipe"),
    /** A number is out of range. */
    ERANGE(34, "Numerical result out of range"),
    /** A file name is too long. */
    ENAMETOOLONG(36, "File name too long"),
    /** The device or its driver does not implement the call. */
    ENOSYS(38, "Function not implemented"),
    /** Symbolic links form a loop. */
    ELOOP(40, "Too many levels of symbolic links"),
    /** The entry is empty. */
    ENODATA(61, "No data available"),
    /** The peer or the driver violated the protocol. */
    EPROTO(71, "Protocol error"),
    /** A value does not fit its field. */
    EOVERFLOW(75, "Value too large for defined data type"),
    /** The file descriptor does not refer to a socket. */
    ENOTSOCK(88, "Socket operation on non-socket"),
    /** The call requires a destination. */
    EDESTADDRREQ(89, "Destination address required"),
    /** A message is too long. */
    EMSGSIZE(90, "Message too long"),
    /** The socket type does not support the protocol. */
    EPROTOTYPE(91, "Protocol wrong type for socket"),
    /** The system does not support this socket option. */
    ENOPROTOOPT(92, "Protocol not available"),
    /** The system does not support this protocol. */
    EPROTONOSUPPORT(93, "Protocol not supported"),
    /** The system does not support this socket type. */
    ESOCKTNOSUPPORT(94, "Socket type not supported"),
    /** The device does not support this use of the call. */
    EOPNOTSUPP(95, "Operation not supported"),
    /** The system does not support this protocol family. */
    EPFNOSUPPORT(96, "Protocol family not supported"),
    /** The system, or the JVM with its present options, does not support this address family. */
    EAFNOSUPPORT(97, "Address family not supported by protocol"),
    /** The address or port number is in use. */
    EADDRINUSE(98, "Address already in use"),
    /** The address is not an address of this machine. */
    EADDRNOTAVAIL(99, "Cannot assign requested address"),
    /** The interface is down. */
    ENETDOWN(100, "Network is down"),
    /** There is no route to the network of the destination. */
    ENETUNREACH(101, "Network is unreachable"),
    /** The network dropped the connection. */
    ENETRESET(102, "Network dropped connection on reset"),
    /** The local system aborted the connection. */
    ECONNABORTED(103, "Software caused connection abort"),
    /** The peer reset the connection. */
    ECONNRESET(104, "Connection reset by peer"),
    /** The system has no buffer space for the packet. */
    ENOBUFS(105, "No buffer space available"),
    /** The socket is connected already. */
    EISCONN(106, "Transport endpoint is already connected"),
    /** The socket is not connected. */
    ENOTCONN(107, "Transport endpoint is not connected"),
    /** The peer did not respond in time. */
    ETIMEDOUT(110, "Connection timed out"),
    /** No process listens at the destination. */
    ECONNREFUSED(111, "Connection refused"),
    /** The destination is down. */
    EHOSTDOWN(112, "Host is down"),
    /** There is no route to the destination, or it does not respond. */
    EHOSTUNREACH(113, "No route to host"),
    /** The device reports that an operation failed. */
    EREMOTEIO(121, "Remote I/O error"),
    /** The operation was canceled. */
    ECANCELED(125, "Operation canceled"),
    /** Any other value. */
    UNKNOWN(-1, "Unknown error");

    private static final CodeTable<Errno> BY_CODE = CodeTable.of(values(), Errno::code, UNKNOWN);

    private final int code;
    private final String description;

    Errno(int code, String description) {
        this.code = code;
        this.description = description;
    }

    /** {@return the positive value in {@code errno.h} of Linux; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /** {@return the description, the text of strerror(3)} */
    public String description() {
        return description;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a positive value of {@code errno}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static Errno of(int code) {
        return BY_CODE.find(code);
    }
}
