package io.jverbs.soft.journal;

/** A queue pair as the events describe it. */
public interface Subject {

    /** {@return the name of the device} */
    String device();

    /** {@return the queue pair number} */
    int number();

    /** {@return the number of the connected queue pair, 0 if there is none; callable with or without locks held} */
    int peerNumber();
}
