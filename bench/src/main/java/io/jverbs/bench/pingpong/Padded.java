package io.jverbs.bench.pingpong;

/** Padding that separates the state of two threads by two cache lines, as processors prefetch adjacent lines. */
@SuppressWarnings("unused")
abstract class Padded {
    private long p00;
    private long p01;
    private long p02;
    private long p03;
    private long p04;
    private long p05;
    private long p06;
    private long p07;
    private long p08;
    private long p09;
    private long p10;
    private long p11;
    private long p12;
    private long p13;
    private long p14;
    private long p15;
}
