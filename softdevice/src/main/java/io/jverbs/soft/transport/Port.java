package io.jverbs.soft.transport;

/** What a queue pair needs to know of its own port. One read each. */
public interface Port {

    /** {@return the name of its device} */
    String device();

    /** {@return whether the cable is in} */
    boolean isUp();

    /**
     * {@return an entry of the P_Key table}
     *
     * @param index an index within the table
     */
    int pkey(int index);

    /** {@return the MTU in bytes} */
    int mtu();

    /** {@return who looks at the packets of the port, null if nobody does} */
    Tap tap();

    /**
     * Counts a dropped packet or another thing that should not happen.
     *
     * @param counter what
     */
    void count(Counter counter);
}
