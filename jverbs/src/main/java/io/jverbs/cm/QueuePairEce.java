package io.jverbs.cm;

import io.jverbs.Ece;
import io.jverbs.Errno;
import io.jverbs.QueuePair;
import io.jverbs.VerbsException;
import io.jverbs.spi.CmIdOps;

/**
 * The options of ECE of the queue pair of an ID, as librdmacm agrees on them: the connecting side offers those of its
 * queue pair. The other side sets them for its own one, and responds with those that its device uses. The connecting
 * side sets those of the response. An offer of another vendor, and a response without options, turn the options off. A
 * device without options offers none and ignores those of the peer. Thread-safe: one queue pair is created at a time.
 */
final class QueuePairEce {
    /** The options of the new queue pair; those of no vendor if the device has none. */
    private volatile Ece own = Ece.NONE;

    /** Sets the peer's offer for a new queue pair of a connect request, which is in RESET. */
    void created(QueuePair qp, CmIdOps ops) {
        own = query(qp);
        CmIdOps.Ece offer = ops.remoteEce();
        if (offer.vendorId() != 0) {
            set(qp, offer.vendorId() == own.vendorId() ? offer.options() : 0);
        }
    }

    /** Offers the options of a new queue pair, or responds to the offer: a device knows those it uses from INIT on. */
    void initialized(QueuePair qp, CmIdOps ops) {
        CmIdOps.Ece offer = ops.remoteEce();
        if (offer.vendorId() != 0) {
            int used = offer.vendorId() == own.vendorId() ? query(qp).options() : 0;
            ops.localEce(new CmIdOps.Ece(offer.vendorId(), used));
        } else if (own.vendorId() != 0) {
            ops.localEce(new CmIdOps.Ece(own.vendorId(), own.options()));
        }
    }

    /** Sets the peer's response for the queue pair, which is in INIT; throws EINVAL if another vendor has made it. */
    void responseReceived(QueuePair qp, CmIdOps ops) {
        CmIdOps.Ece response = ops.remoteEce();
        if (own.vendorId() != 0 && response.vendorId() != 0 && response.vendorId() != own.vendorId()) {
            throw new VerbsException("set_ece", Errno.EINVAL, "the peer has responded with options of ECE of vendor 0x"
                    + Integer.toHexString(response.vendorId()) + ", those offered are of vendor 0x"
                    + Integer.toHexString(own.vendorId()));
        }
        set(qp, response.vendorId() == 0 ? 0 : response.options());
    }

    private static Ece query(QueuePair qp) {
        try {
            return qp.queryEce();
        } catch (VerbsException e) {
            ignoreUnsupported(e);
            return Ece.NONE;
        }
    }

    /** Sets options of the own vendor, if there is one. */
    private void set(QueuePair qp, int options) {
        if (own.vendorId() == 0) {
            return;
        }
        try {
            qp.setEce(new Ece(own.vendorId(), options));
        } catch (VerbsException e) {
            ignoreUnsupported(e);
        }
    }

    private static void ignoreUnsupported(VerbsException failure) {
        if (failure.error() != Errno.EOPNOTSUPP) {
            throw failure;
        }
    }
}
