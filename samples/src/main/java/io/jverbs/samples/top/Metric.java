package io.jverbs.samples.top;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A column of the view, and the counters that it is computed from. Their names are those of the software device, of the
 * {@code rdma_rxe} and mlx5 drivers, or of the port counters of the InfiniBand specification.
 */
enum Metric {
    MESSAGES(Source.of("sent_msgs")),
    PACKETS(Source.of("sent_pkts"), Source.of("port_xmit_packets")),
    SENT_BYTES(Source.of("sent_bytes"), new Source(Source.WORD, List.of("port_xmit_data"))),
    RECEIVED_BYTES(Source.of("rcvd_bytes"), new Source(Source.WORD, List.of("port_rcv_data"))),
    RETRANSMISSIONS(Source.of("retransmissions"), Source.of("completer_retry_err"),
            Source.of("packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err")),
    NOT_READY(Source.of("rcvd_rnr_err"), Source.of("rnr_nak_retry_err")),
    DROPPED(Source.of("no_receive", "bad_pkey", "bad_qkey", "bad_icrc", "malformed", "unknown_qp", "port_down", "lost",
            "wrong_state", "wrong_address", "invalid_request", "out_of_buffer", "rx_icrc_encapsulated",
            "port_rcv_errors")),
    CM_SENT(Source.of("cm_tx_msgs")),
    CM_RECEIVED(Source.of("cm_rx_msgs")),
    CM_RETRIES(Source.of("cm_tx_retries")),
    CM_DUPLICATES(Source.of("cm_rx_duplicates")),
    CM_DROPPED(Source.of("cm_rx_malformed", "cm_rx_unknown_ids", "cm_rx_refused", "cm_rx_backlog_full",
            "cm_rx_queue_full"));

    /**
     * Counters whose sum, times a factor, is the metric.
     *
     * @param factor the weight of each count
     * @param names the counters; a device may lack some of them
     */
    private record Source(long factor, List<String> names) {
        /** The unit of port_xmit_data and port_rcv_data in bytes. */
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

    Metric(Source... sources) {
        this.sources = List.of(sources);
    }

    /** {@return the value from the first source that the device has; empty if it has none of them} */
    OptionalLong of(Map<String, Long> counters) {
        return sources.stream().filter(source -> source.isIn(counters)).mapToLong(source -> source.sum(counters))
                .findFirst();
    }
}
