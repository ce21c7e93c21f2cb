package io.jverbs.contract.differential;

/**
 * A scatter/gather element: a range of the memory through a key. The offset may lie outside the memory.
 */
record Part(Key key, int offset, int length) {

    @Override
    public String toString() {
        return key + "[" + offset + " +" + length + "]";
    }
}
