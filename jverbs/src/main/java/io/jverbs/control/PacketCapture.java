package io.jverbs.control;

import io.jverbs.spi.SystemProperties;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Captures the packets of a device in a file for Wireshark and {@code tshark}. The format is pcapng, with timestamps in
 * nanoseconds and the device name as the interface name. Messages within the JVM are written as the RoCEv2 packets that
 * would carry them. Thread-safe.
 *
 * <p>
 * The system property {@value #PROPERTY} captures every software device from its opening until the JVM exits; opening
 * another device logs a warning that it is not captured. The value of the property, and the argument of {@link #start},
 * is {@value #GRAMMAR}:
 * <ul>
 * <li>The file is overwritten. {@code %p} in its name is replaced by the process ID. Several devices of a process may
 * share a file; another process is rejected.
 * <li>{@code ring=1000}: whenever a queue pair enters an error state by itself, the last 1000 packets are written,
 * except for those that were already written. Nothing else is written. The range is 1 to 1000000. The packets are held
 * in memory of the size {@code buffer}, fewer if it is full. A second buffer of the same size takes packets that arrive
 * while the first is written.
 * <li>{@code snap=128}: the first 128 bytes of each packet are written, starting at its IP header. The range is 64 to
 * 65535; the default is the whole packet.
 * <li>{@code buffer=64}: packets wait in a buffer of 64 MiB until they are written. The value is a power of two from 1
 * to 1024; the default is 16.
 * </ul>
 *
 * <p>
 * A thread that sends or receives a packet copies it to the buffer and does not wait for the file. A packet that finds
 * no room is not written, but counted as dropped. If writing to the file fails, that is logged once and the capture
 * ends; the system property does not start another one. Each packet is written once, when its sender sends it. A packet
 * on the network is also written when its receiver receives it, if the receiver is captured too. IP headers are
 * reconstructed: time to live 64, traffic class 0, and the IPv4 ID that matches the ICRC. On a {@link SimulatedNetwork}
 * with virtual time, timestamps are those of its clock, counted from 1970. A program with one thread and the same seed
 * then produces the same file, byte for byte, if there is room for all packets. With {@code ring} it does not, because
 * packets arrive while others are written.
 *
 * {@snippet :
 * PacketCapture capture = device.capability(PacketCapture.class).orElseThrow();
 * try (PacketCapture.Running running = capture.start("/tmp/jverbs.pcapng?snap=128")) {
 *     program(context);
 * }
 * }
 */
public interface PacketCapture {
    /** The system property that captures all software devices. */
    String PROPERTY = SystemProperties.CAPTURE;

    /** The syntax of a capture specification, for error messages. */
    String GRAMMAR = "file[?key=value{&key=value}], keys ring (packets), snap (bytes), buffer (MiB)";

    /**
     * Starts a capture.
     *
     * @param specification the file and options, see above
     * @return the capture; the caller closes it
     * @throws IllegalArgumentException if the specification is malformed or a value is out of range; the message names
     *         the offending part and the syntax
     * @throws io.jverbs.VerbsException if the file cannot be written, with the reason of the operating system; with
     *         EBUSY if the device is already being captured, or the file is being written with other options or by
     *         another process; with EIO if the device was removed, or its simulated network has ended
     */
    Running start(String specification);

    /** {@return the active capture, from {@link #start} or the system property} */
    Optional<Running> running();

    /** An active capture. Thread-safe. */
    interface Running extends AutoCloseable {

        /** {@return the file} */
        Path file();

        /** {@return how many packets of the device were captured} */
        long packets();

        /** {@return how many packets of the device were not captured because the buffer was full} */
        long dropped();

        /**
         * Waits until all packets captured so far are in the file; with {@code ring}, those that are held are written
         * too. Returns immediately if the capture has ended.
         */
        void flush();

        /**
         * Ends the capture after all captured packets are in the file; with {@code ring}, those that are held are
         * discarded. Further calls have no effect. Removing the device ends the capture in the same way.
         */
        @Override
        void close();
    }
}
