package io.jverbs.soft.truncated;

/** The requests that succeed before the first file is truncated. They decide how HotSpot has compiled the code. */
enum WarmUp {
    /** Requests on mapped memory. */
    MAPPED,
    /** Requests on ordinary memory: the first request on mapped memory finds code that was compiled without it. */
    ORDINARY,
    /** None: HotSpot has not compiled the code. */
    NONE
}
