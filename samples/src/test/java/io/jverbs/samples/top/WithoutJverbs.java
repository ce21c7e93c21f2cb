package io.jverbs.samples.top;

import java.io.IOException;

/** A program without jverbs, which exits at the end of its standard input. */
final class WithoutJverbs {
    private WithoutJverbs() {}

    public static void main(String[] args) throws IOException {
        System.out.println("started");
        System.in.read();
    }
}
