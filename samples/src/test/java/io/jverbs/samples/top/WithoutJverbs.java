package io.jverbs.samples.top;

import java.io.IOException;

/** A program that knows no jverbs, and ends at the end of its input. */
final class WithoutJverbs {
    private WithoutJverbs() {}

    public static void main(String[] args) throws IOException {
        System.out.println("there");
        System.in.read();
    }
}
