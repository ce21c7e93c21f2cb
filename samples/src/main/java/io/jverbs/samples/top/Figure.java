package io.jverbs.samples.top;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A figure that is shown, and the counters that have it: those of the software device, of Linux' {@code rdma_rxe}, of mlx5, or what
 * InfiniBand has every port count.
 */
enum Figure {
    MESSAGES(Source.of("sent_msgs")), PACKETS(Source.of("sent_pkts"), Source.of("port_xmit_packets")), SENT_BYTES(
            Source.of("sent_bytes"), new Source(Source.WORD, List.of("port_xmit_data"))), RECEIVED_BYTES(
                    Source.of("rcvd_bytes"), new Source(Source.WORD, List.of("port_rcv_data"))), RETRANSMISSIONS(
                            Source.of("retransmissions"), Source.of("completer_retry_err"),
                            Source.of("packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err")), NOT_READY(
                                    Source.of("rcvd_rnr_err"),
                                    Source.of("rnr_nak_retry_err")), DROPPED(Source.of("no_receive", "bad_pkey",
                                            "bad_qkey", "bad_icrc", "malformed", "unknown_qp", "port_down", "lost",
                                            "wrong_state", "wrong_address", "invalid_request", "out_of_buffer",
                                            "rx_icrc_encapsulated",
                                            "port_rcv_errors"));

    /**
     * Counters whose sum is a figure.
     *
     * @param factor what one is
     * @param names the counters, some of which a device may not have
     */
    private record Source(long factor, List<String> names) {
        /** Ports count data by four bytes. */
        static final long WORD = 4;

        static Source of(String... names) {
            return new Source(1, List.of(names));
        }

        boolean isIn(Map<String, Long> counters) {
            return names.stream().anyMatch(counters::containsKey);
        }

        long sum(Map<String, Long> counters) {
            return factor * names.stream().mapToLong(name -> counters.getOrDefault(name, 0L)).sum();
        }
    }

    private final List<Source> sources;

    Figure(Source... sources) {
        this.sources = List.of(sources);
    }

    /** The figure by the first counters that there are; empty if the device has none of them. */
    OptionalLong of(Map<String, Long> counters) {
        return sources.stream().filter(source -> source.isIn(counters)).mapToLong(source -> source.sum(counters))
                .findFirst();
    }
}
