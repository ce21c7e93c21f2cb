package io.jverbs;

/**
 * The attributes of a completion queue to create, the arguments of ibv_create_cq(3). Immutable. Ranges are checked when
 * the queue is created.
 *
 * @param cqe the minimum number of completions that the queue must hold, 1 to {@link DeviceAttributes#maxCqe()}; the
 *         device can grant more
 * @param channel the completion channel for the events of the queue; null for a queue that is only polled
 * @param completionVector the completion vector, 0 to {@link DeviceAttributes#completionVectors()} - 1
 * @param userContext an object that {@link CompletionQueue#userContext()} returns; may be null
 */
public record CqInitAttributes(int cqe, CompletionChannel channel, int completionVector, Object userContext) {

    /**
     * Returns attributes without a channel and a user context, with completion vector 0.
     *
     * @param cqe the minimum number of completions that the queue must hold
     * @return the attributes
     */
    public static CqInitAttributes of(int cqe) {
        return new CqInitAttributes(cqe, null, 0, null);
    }

    /**
     * Returns these attributes with another completion channel.
     *
     * @param events the completion channel for the events of the queue; null for none
     * @return the changed attributes
     */
    public CqInitAttributes withChannel(CompletionChannel events) {
        return new CqInitAttributes(cqe, events, completionVector, userContext);
    }

    /**
     * Returns these attributes with another completion vector.
     *
     * @param vector the completion vector, from 0
     * @return the changed attributes
     */
    public CqInitAttributes withCompletionVector(int vector) {
        return new CqInitAttributes(cqe, channel, vector, userContext);
    }

    /**
     * Returns these attributes with another user context.
     *
     * @param context an object that the queue returns; null for none
     * @return the changed attributes
     */
    public CqInitAttributes withUserContext(Object context) {
        return new CqInitAttributes(cqe, channel, completionVector, context);
    }
}
