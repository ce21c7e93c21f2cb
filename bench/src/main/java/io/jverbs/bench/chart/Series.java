package io.jverbs.bench.chart;

import java.util.Locale;

/**
 * What a chart compares.
 *
 * @param method the method of its benchmarks
 * @param label its name in the chart
 * @param look its colour and mark
 */
record Series(String method, String label, Look look) {

    /** The colours and marks, the same in all charts. The marks tell apart what the colours do not. */
    enum Look {
        JVERBS_LINUX("#0a5fa8", "#58a6ff", "", "M0-5a5 5 0 1 0 .01 0z"),
        JVERBS_NIO("#b04a00", "#f0883e", "", "M-4.5-4.5h9v9h-9z"),
        DATAGRAMS("#57606a", "#9ea7b3", "7 3", "M0-5.5L5.5 4.5h-11z"),
        TCP("#08775a", "#3fc79a", "2 3", "M0-6L6 0 0 6-6 0z"),
        TCP_BLOCKING("#9a3d86", "#e58fd0", "2 3", "M0 5.5L5.5-4.5h-11z");

        private final String light;
        private final String dark;
        private final String dashes;
        private final String mark;

        Look(String light, String dark, String dashes, String mark) {
            this.light = light;
            this.dark = dark;
            this.dashes = dashes;
            this.mark = mark;
        }

        /** {@return the name of its class in the style sheet} */
        String style() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** {@return its colour on a light background} */
        String light() {
            return light;
        }

        /** {@return its colour on a dark background} */
        String dark() {
            return dark;
        }

        /** {@return the pattern of its lines, empty for solid lines} */
        String dashes() {
            return dashes;
        }

        /** {@return the path of its mark around 0,0} */
        String mark() {
            return mark;
        }
    }
}
