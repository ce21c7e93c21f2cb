package io.jverbs;

/**
 * The error numbers that verbs return, with the values of Linux on every system; see errno(3). What each means for a
 * given call is in that call's description.
 */
public enum Errno {
    /** Operation not permitted: a privilege is missing, or objects of different protection domains meet. */
    EPERM(1, "Operation not permitted"),
    /** No such object or entry. */
    ENOENT(2, "No such file or directory"),
    /** A wait was interrupted. */
    EINTR(4, "Interrupted system call"),
    /** The device failed or was removed. */
    EIO(5, "Input/output error"),
    /** Nothing there yet; ask again. */
    EAGAIN(11, "Resource temporarily unavailable"),
    /** A queue is full, a limit is reached, or memory cannot be pinned. */
    ENOMEM(12, "Cannot allocate memory"),
    /** Permission denied. */
    EACCES(13, "Permission denied"),
    /** The memory is not accessible. */
    EFAULT(14, "Bad address"),
    /** Another object still uses this one. */
    EBUSY(16, "Device or resource busy"),
    /** No such device. */
    ENODEV(19, "No such device"),
    /** An argument is out of its range or does not fit the others. */
    EINVAL(22, "Invalid argument"),
    /** The process has too many open files. */
    EMFILE(24, "Too many open files"),
    /** A table of the device is full. */
    ENOSPC(28, "No space left on device"),
    /** The device or its driver lacks the call. */
    ENOSYS(38, "Function not implemented"),
    /** The entry is empty. */
    ENODATA(61, "No data available"),
    /** A value does not fit its field. */
    EOVERFLOW(75, "Value too large for defined data type"),
    /** A message is too long. */
    EMSGSIZE(90, "Message too long"),
    /** The device does not support this use of the call. */
    EOPNOTSUPP(95, "Operation not supported"),
    /** This system, or the JVM as it was started, does not have this kind of address. */
    EAFNOSUPPORT(97, "Address family not supported by protocol"),
    /** The address or port number is taken. */
    EADDRINUSE(98, "Address already in use"),
    /** This machine does not have the address. */
    EADDRNOTAVAIL(99, "Cannot assign requested address"),
    /** No answer in time. */
    ETIMEDOUT(110, "Connection timed out"),
    /** A number that is none of the above. */
    UNKNOWN(-1, "Unknown error");

    private static final CodeTable<Errno> BY_CODE = CodeTable.of(values(), Errno::code, UNKNOWN);

    private final int code;
    private final String description;

    Errno(int code, String description) {
        this.code = code;
        this.description = description;
    }

    /** {@return the positive number, as in Linux' {@code errno.h}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /** {@return what strerror(3) says} */
    public String description() {
        return description;
    }

    /**
     * Finds an error by its number.
     *
     * @param code a positive value of {@code errno}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static Errno of(int code) {
        return BY_CODE.find(code);
    }
}
