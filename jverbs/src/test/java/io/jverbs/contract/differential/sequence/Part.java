package io.jverbs.contract.differential.sequence;

/** A scatter/gather element: a range of the memory, accessed with a key. The offset may be outside the memory. */
public record Part(Key key, int offset, int length) {

    @Override
    public String toString() {
        return key + "[" + offset + " +" + length + "]";
    }
}
