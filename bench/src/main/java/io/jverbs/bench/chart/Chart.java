package io.jverbs.bench.chart;

/** A chart, which is drawn from results of benchmarks. */
interface Chart {
    /** {@return the name of its file} */
    String file();

    /** {@return the results that it shows} */
    Selection selection();

    /** {@return the text of its file, which depends only on the results} */
    String draw(Rows rows);
}
