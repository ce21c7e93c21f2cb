package io.jverbs.ibverbs.rdmacm;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.util.Locale;

/**
 * How many bytes of private data an operation takes: what remains for the program in the message that the operation
 * sends.
 */
enum PrivateDataLimit {
    /** REQ and SIDR_REQ. */
    CONNECT(56, 180),
    /** REP and SIDR_REP. */
    ACCEPT(196, 136),
    /** REJ and SIDR_REP. */
    REJECT(148, 136);

    /** What the field of librdmacm can hold, for iWARP. */
    private static final int IWARP = 255;

    private final int connected;
    private final int datagram;

    PrivateDataLimit(int connected, int datagram) {
        this.connected = connected;
        this.datagram = datagram;
    }

    /**
     * Throws EINVAL if private data is too long.
     *
     * @param portSpace the port space of the ID
     * @param isIwarp whether its device uses iWARP, whose messages do not have a fixed length
     */
    void check(byte[] data, int portSpace, boolean isIwarp) {
        int ofPortSpace = ParameterStruct.isDatagram(portSpace) ? datagram : connected;
        int max = isIwarp ? IWARP : ofPortSpace;
        if (data.length > max) {
            String operation = name().toLowerCase(Locale.ROOT);
            String where = isIwarp ? "with iWARP" : "in port space " + ParameterStruct.portSpace(portSpace);
            throw new VerbsException(operation, Errno.EINVAL, "the private data has " + data.length
                    + " bytes, allowed are 0 to " + max + " for " + operation + " " + where);
        }
    }
}
