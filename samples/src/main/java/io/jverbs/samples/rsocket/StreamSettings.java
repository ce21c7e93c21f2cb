package io.jverbs.samples.rsocket;

/**
 * The settings of streams.
 *
 * @param bufferSize the size of the send buffer and of the receive buffer, in bytes
 * @param inlineSize up to how many bytes are sent inline
 * @param keepAliveSeconds the time after which a silent peer is checked, 0 for never
 */
record StreamSettings(int bufferSize, int inlineSize, int keepAliveSeconds) {
    StreamSettings withInlineSize(int size) {
        return new StreamSettings(bufferSize, size, keepAliveSeconds);
    }
}
