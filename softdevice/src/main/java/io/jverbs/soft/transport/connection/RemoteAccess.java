package io.jverbs.soft.transport.connection;

import io.jverbs.Access;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyCheck;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.SoftQp;

/**
 * The access of a connected peer to the memory of a queue pair: looks up rkeys, and executes READs and atomics. It
 * reports faults to the responder, which sends the NAK. Guarded by the responder's lock.
 */
public final class RemoteAccess {
    private final SoftQp qp;
    private final QpSettings settings;
    private final KeyCheck keys;
    private final SgeList source = new SgeList(1);

    public RemoteAccess(SoftQp qp) {
        this.qp = qp;
        this.settings = qp.settings();
        this.keys = qp.responderKeys();
    }

    /** Whether READs or atomics are permitted: the access flag is set, and max_dest_rd_atomic is not 0. */
    public boolean mayRespond(int access) {
        return (settings.accessFlags & access) != 0 && settings.maxDestRdAtomic > 0;
    }

    /** Checks the rkey of a request; returns its entry, or null if it does not permit access to the whole range. */
    public KeyEntry checkRkey(Message message, int access, long length) {
        return checkRkey(message.rkey, message.remoteAddress, length, access);
    }

    /** Checks an rkey; returns its entry, or null if it does not permit access to the whole range. */
    public KeyEntry checkRkey(int rkey, long address, long length, int access) {
        return keys.checkRkey(rkey, address, length, access);
    }

    /** Invalidates a memory window of this queue pair; returns false if the key does not permit that. */
    public boolean invalidate(int rkey) {
        return qp.environment().keyTable().invalidate(rkey, qp.parts().domain(), qp.number());
    }

    /**
     * Executes a READ: copies the memory to the message's data, if that may be accessed.
     *
     * @param responds whether the response reaches the sender of the message; otherwise nothing is copied
     * @return {@link Message#ACK}, or the NAK
     */
    public int read(Message message, boolean responds) {
        if (!mayRespond(Access.REMOTE_READ)) {
            return Message.NAK_INVALID_REQUEST;
        }
        if (message.length != 0) {
            KeyEntry entry = checkRkey(message, Access.REMOTE_READ, message.length);
            if (entry == null || message.dataValid && responds && !fetch(message, entry)) {
                return Message.NAK_REMOTE_ACCESS_ERROR;
            }
        }
        return Message.ACK;
    }

    /** Copies the memory of a READ. Returns false if it no longer exists. */
    private boolean fetch(Message message, KeyEntry entry) {
        source.set(entry, message.remoteAddress, message.length);
        try {
            Copier.copy(source, 0, message.data, 0, message.length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            if (source.exists()) {
                message.loseData(e);
                return true;
            }
            qp.noteLostMemory(e);
            return false;
        }
    }

    /**
     * Executes an atomic; stores the original value in the message.
     *
     * @return {@link Message#ACK}, or the NAK
     */
    public int atomic(Message message) {
        if (!isAligned(message.remoteAddress) || !mayRespond(Access.REMOTE_ATOMIC)) {
            return Message.NAK_INVALID_REQUEST;
        }
        KeyEntry entry = checkRkey(message, Access.REMOTE_ATOMIC, Long.BYTES);
        if (entry == null) {
            return Message.NAK_REMOTE_ACCESS_ERROR;
        }
        if (!isAligned(entry, message.remoteAddress)) {
            return Message.NAK_INVALID_REQUEST;
        }
        try {
            message.original = message.opcode == WrOpcodeCode.FETCH_AND_ADD
                    ? Copier.fetchAndAdd(entry, message.remoteAddress, message.compareAdd)
                    : Copier.compareAndSwap(entry, message.remoteAddress, message.compareAdd, message.swap);
        } catch (IllegalStateException | InternalError e) {
            qp.noteLostMemory(e);
            return Message.NAK_REMOTE_ACCESS_ERROR;
        }
        return Message.ACK;
    }

    /** Whether an atomic may name an address, which the entry of its key contains, and the word at it is aligned. */
    public boolean isAligned(KeyEntry entry, long address) {
        return isAligned(address) && isAligned(entry.segment().address() + entry.offsetOf(address));
    }

    private static boolean isAligned(long address) {
        return (address & Long.BYTES - 1) == 0;
    }
}
