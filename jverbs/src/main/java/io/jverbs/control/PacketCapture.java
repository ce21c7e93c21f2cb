package io.jverbs.control;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Writes the packets of a device into a file that Wireshark and {@code tshark} read: pcapng, with times in nanoseconds and the
 * device's name as that of the interface. What stays within the JVM is written as the RoCEv2 packets that it stands for. Safe for
 * use by many threads.
 *
 * <p>
 * The system property {@value #PROPERTY} has the same done from the opening of each software device to the end of the JVM; opening
 * another one logs a warning that it is not. Its
 * value, and what {@link #start} takes, is {@value #GRAMMAR}:
 * <ul>
 * <li>the file is overwritten; {@code %p} in its name stands for the number of the process. Several devices of a process may share
 * one; another process is refused
 * <li>{@code ring=1000}: nothing is written but, each time a queue pair goes to an error by itself, the last 1000 packets, 1 to
 * 1000000, as far as they were not written before. They are kept in the memory of {@code buffer}, fewer if it is full; as
 * much again is for those that come while they are written
 * <li>{@code snap=128}: of each packet the first 128 bytes from its IP header on, 64 to 65535; otherwise all of it
 * <li>{@code buffer=64}: packets wait in 64 MiB, 1 to 1024 in powers of two, until they are written; 16 unless told otherwise
 * </ul>
 *
 * <p>
 * Who sends or receives a packet copies it and waits for no file: packets for which there is no room are not written, but
 * counted. When the file cannot be written any more, that is logged once and nothing more is captured: the system property has none
 * begun anew in its place. Each packet is written once,
 * as its sender sends it; over the network, also as its receiver receives it, if that is captured too. IP headers are
 * made up from what is known: time to live 64, traffic class 0, the IPv4 ID that explains the ICRC. On a {@link SimulatedNetwork}
 * with a clock of its own, times are that clock's, counted from 1970: what is done by one thread is the same file, byte for byte,
 * with the same seed, as long as there is room for all packets; with {@code ring} it is not, as packets come while others are
 * written.
 */
public interface PacketCapture {
    /** The system property that has all software devices captured. */
    String PROPERTY = "jverbs.capture";

    /** The form of what is to be captured, for messages. */
    String GRAMMAR = "file[?key=value{&key=value}], keys ring (packets), snap (bytes), buffer (MiB)";

    /**
     * Begins to capture.
     *
     * @param specification as above
     * @return the capture, to be closed
     * @throws IllegalArgumentException if the specification has not the form, or a value is out of its range; the message names
     *         the part and the form
     * @throws io.jverbs.VerbsException if the file cannot be written, with the system's reason; with EBUSY if the device is being
     *         captured already, or the file is being written with other options, or by another process; with EIO if the device is
     *         removed or was on a simulated network that has ended
     */
    Running start(String specification);

    /** {@return the capture that is under way, from {@link #start} or the system property} */
    Optional<Running> running();

    /** A capture under way. Safe for use by many threads. */
    interface Running extends AutoCloseable {

        /** {@return the file} */
        Path file();

        /** {@return how many packets of the device were captured} */
        long packets();

        /** {@return how many packets of the device were not captured, as there was no room for them} */
        long dropped();

        /**
         * Waits until all packets that were captured so far are in the file; with {@code ring}, those that are held. Returns at
         * once when the capture has ended.
         */
        void flush();

        /**
         * Ends it, when all is in the file; without what is held with {@code ring}. No effect the second time. The removal of the
         * device does so too.
         */
        @Override
        void close();
    }
}
