package io.jverbs.soft.queue;

import io.jverbs.Errno;

/** The numbers of {@link Errno} that the data path returns. */
public final class ErrnoCode {
    /** Input/output error: the device is gone. */
    public static final int EIO = Errno.EIO.code();
    /** No room. */
    public static final int ENOMEM = Errno.ENOMEM.code();
    /** Memory that was named cannot be read. */
    public static final int EFAULT = Errno.EFAULT.code();
    /** The request makes no sense. */
    public static final int EINVAL = Errno.EINVAL.code();

    private ErrnoCode() {}
}
