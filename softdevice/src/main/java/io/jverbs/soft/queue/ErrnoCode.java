package io.jverbs.soft.queue;

import io.jverbs.Errno;

/** The {@link Errno} codes that the data path returns, as {@code int} values. */
public final class ErrnoCode {
    /** Input/output error: the device was removed. */
    public static final int EIO = Errno.EIO.code();
    /** The queue is full, or an exception or Error ended the post of a chain, see {@link PostErrors}. */
    public static final int ENOMEM = Errno.ENOMEM.code();
    /** Memory of the request cannot be read. */
    public static final int EFAULT = Errno.EFAULT.code();
    /** The request is invalid. */
    public static final int EINVAL = Errno.EINVAL.code();

    private ErrnoCode() {}
}
