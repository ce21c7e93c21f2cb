package io.jverbs.soft.transport;

import java.lang.foreign.MemorySegment;

/**
 * A responder that also executes simple requests from the same JVM without a message, for a {@link FastPath}. Guarded
 * by the responder's lock.
 */
public abstract class DirectResponder extends ResponderProtocol {

    /** {@return a number that {@link #endDirectAccess} changes; see {@link #direct}} Thread-safe. */
    public abstract int configuration();

    /**
     * Executes a WRITE.
     *
     * @param psn its first PSN
     * @param count the number of its packets
     * @param from the memory that contains its data
     * @param at the offset of the data in that memory
     * @param length the length of the data in bytes, not 0
     * @param remoteAddress the remote address
     * @param rkey the remote key
     * @return false, with nothing changed, if it must come as a message
     */
    public abstract boolean writeDirectly(int psn, int count, MemorySegment from, long at, long length,
            long remoteAddress, int rkey);

    /**
     * Executes a SEND.
     *
     * @param psn its first PSN
     * @param count the number of its packets
     * @param from the memory that contains its data
     * @param at the offset of the data in that memory
     * @param length the length of the data in bytes, not 0
     * @param solicited whether its completion is solicited
     * @return false, with nothing changed, if it must come as a message
     */
    public abstract boolean sendDirectly(int psn, int count, MemorySegment from, long at, long length,
            boolean solicited);

    /**
     * Executes a READ.
     *
     * @param psn the first PSN of its response
     * @param count the number of packets of its response
     * @param to the memory for its data
     * @param at the offset in that memory
     * @param length the length of the data in bytes, not 0
     * @param remoteAddress the remote address
     * @param rkey the remote key
     * @return false, with nothing changed but the memory for the data, if it must come as a message
     */
    public abstract boolean readDirectly(int psn, int count, MemorySegment to, long at, long length,
            long remoteAddress, int rkey);

    /**
     * Executes an atomic; {@link #original()} returns the original value.
     *
     * @param psn its PSN
     * @param swaps whether it is COMPARE_SWAP, otherwise FETCH_ADD
     * @param compareAdd the value to compare with, or to add
     * @param swap the value to store if the comparison succeeds
     * @param remoteAddress the remote address
     * @param rkey the remote key
     * @return false, with nothing changed, if it must come as a message
     */
    public abstract boolean atomicDirectly(int psn, boolean swaps, long compareAdd, long swap, long remoteAddress,
            int rkey);

    /** {@return the original value of the word that the latest atomic of {@link #atomicDirectly} has changed} */
    public abstract long original();
}
