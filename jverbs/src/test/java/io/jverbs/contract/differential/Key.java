package io.jverbs.contract.differential;

/** What a request can name as its local or remote memory. All regions cover all of the {@link Layout}. */
enum Key {
    /** A region with all rights. */
    ALL,
    /** A region with local write alone. */
    LOCAL,
    /** A region with remote read alone. */
    READ_ONLY,
    /** A region with all rights in another protection domain. */
    FOREIGN,
    /** The memory window. */
    WINDOW,
    /** A key that nothing has. */
    NOTHING,
    /** No region: the bytes travel in the request. */
    INLINE
}
