package io.jverbs.contract.differential.sequence;

/** The kinds of local or remote memory that a request can name. All regions cover the whole {@link Layout}. */
public enum Key {
    /** A region with all rights. */
    ALL,
    /** A region with local write only. */
    LOCAL,
    /** A region with remote read only. */
    READ_ONLY,
    /** A region with all rights in another protection domain. */
    FOREIGN,
    /** The memory window. */
    WINDOW,
    /** A key that does not exist. */
    INVALID,
    /** No region: the bytes are inline in the request. */
    INLINE
}
