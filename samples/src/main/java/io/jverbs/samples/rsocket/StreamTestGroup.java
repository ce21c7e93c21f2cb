package io.jverbs.samples.rsocket;

import java.util.List;

/**
 * Tests over one connection.
 *
 * @param tests the tests, in their order
 * @param inlineSize up to how many bytes are sent inline
 */
record StreamTestGroup(List<RstreamCase> tests, int inlineSize) {
    /** Returns the size of the largest transfer of groups. */
    static int largestSize(List<StreamTestGroup> groups) {
        return groups.stream().flatMap(group -> group.tests.stream()).mapToInt(RstreamCase::size).max().orElseThrow();
    }
}
