package io.jverbs.soft.journal;

/** A queue pair that is told of. */
public interface Subject {

    /** {@return the name of its device} */
    String device();

    /** {@return its number} */
    int number();

    /** {@return the number of the queue pair that it is connected to, 0 if it is not; read with any lock or none} */
    int peerNumber();
}
