/*
 * A stub of librdmacm: IDs and channels in memory, without a kernel. 192.0.2.1 is an address of the device stub0,
 * 192.0.2.9 one of another device, and other addresses of none. It aborts where librdmacm would crash or wait for an
 * acknowledgement. Tests load it with -Djverbs.librdmacm=PATH.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rdma/rdma_cma.h>

struct stub_event {
    struct rdma_cm_event base;
    uint8_t private_data[255];
    struct stub_event *next;
};

struct stub_channel {
    struct rdma_event_channel base;
    struct stub_event *first;
};

struct stub_id {
    struct rdma_cm_id base;
    /* The channel that the kernel knows for the ID; librdmacm must know the same. */
    struct rdma_event_channel *file;
    int unacknowledged;
    struct sockaddr_storage joined;
    void *join_context;
};

/* The objects that exist, and the calls of rdma_connect. */
int64_t stub_channels, stub_ids, stub_connects;

/* How long rdma_migrate_id waits, in milliseconds, for a thread that retrieves the events of the new channel. */
int64_t stub_migration_millis;

/* The status with which the resolution of a route fails, 0 if it succeeds. */
int64_t stub_route_status;

static struct ibv_device own = {.name = "stub0", .transport_type = IBV_TRANSPORT_IB};
static struct ibv_device other = {.name = "other0", .transport_type = IBV_TRANSPORT_IB};
static struct ibv_context own_context = {.device = &own};
static struct ibv_context other_context = {.device = &other};

static int failure(int error) {
    errno = error;
    return -1;
}

/* The context of an IPv4 address, NULL if no device has it. */
static struct ibv_context *context_of(struct sockaddr *address) {
    switch (ntohl(((struct sockaddr_in *) address)->sin_addr.s_addr)) {
    case 0xc0000201:
        return &own_context;
    case 0xc0000209:
        return &other_context;
    default:
        return NULL;
    }
}

static void use_device(struct rdma_cm_id *id, struct ibv_context *context) {
    id->verbs = context;
    id->port_num = context != NULL;
}

static void append(struct stub_channel *channel, struct stub_event *event) {
    struct stub_event **end = &channel->first;
    while (*end)
        end = &(*end)->next;
    *end = event;
    eventfd_write(channel->base.fd, 1);
}

static struct stub_event *raise_event(struct rdma_cm_id *of, enum rdma_cm_event_type type) {
    struct stub_event *event = calloc(1, sizeof *event);
    event->base.id = of;
    event->base.event = type;
    append((struct stub_channel *) of->channel, event);
    return event;
}

/* Whether the kernel has the ID at another channel than librdmacm: it refuses all calls. */
static int is_elsewhere(struct rdma_cm_id *id) {
    return ((struct stub_id *) id)->file != id->channel;
}

struct rdma_event_channel *rdma_create_event_channel(void) {
    struct stub_channel *channel = calloc(1, sizeof *channel);
    channel->base.fd = eventfd(0, EFD_SEMAPHORE);
    stub_channels++;
    return &channel->base;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel) {
    close(channel->fd);
    free(channel);
    stub_channels--;
}

/* The ID that an event counts for. */
static struct stub_id *counter(struct rdma_cm_event *event) {
    return (struct stub_id *) (event->listen_id ? event->listen_id : event->id);
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **event) {
    struct stub_channel *from = (struct stub_channel *) channel;
    eventfd_t count;
    if (eventfd_read(channel->fd, &count))
        return -1;
    struct stub_event *first = from->first;
    from->first = first->next;
    counter(&first->base)->unacknowledged++;
    if (first->base.event == RDMA_CM_EVENT_ADDR_RESOLVED)
        use_device(first->base.id, context_of(&first->base.id->route.addr.dst_addr));
    if (first->base.event == RDMA_CM_EVENT_CONNECT_REQUEST) {
        // the kernel takes the channel of the call, librdmacm that of the listener
        ((struct stub_id *) first->base.id)->file = channel;
        first->base.id->channel = first->base.listen_id->channel;
    }
    *event = &first->base;
    return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event) {
    counter(event)->unacknowledged--;
    free(event);
    return 0;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context,
                   enum rdma_port_space ps) {
    struct stub_id *made = calloc(1, sizeof *made);
    made->base.channel = made->file = channel;
    made->base.context = context;
    made->base.ps = ps;
    stub_ids++;
    *id = &made->base;
    return 0;
}

/* Removes the events of an ID from its channel; returns them as a list. */
static struct stub_event *take_events(struct rdma_cm_id *id) {
    struct stub_channel *channel = (struct stub_channel *) id->channel;
    struct stub_event *taken = NULL, **end = &taken, **at = &channel->first;
    while (*at) {
        struct stub_event *event = *at;
        if (&counter(&event->base)->base == id) {
            eventfd_t count;
            eventfd_read(channel->base.fd, &count);
            *at = event->next;
            event->next = NULL;
            *end = event;
            end = &event->next;
        } else {
            at = &event->next;
        }
    }
    return taken;
}

int rdma_destroy_id(struct rdma_cm_id *id) {
    if (((struct stub_id *) id)->unacknowledged)
        abort();
    if (is_elsewhere(id))
        return failure(EINVAL);
    for (struct stub_event *event = take_events(id), *next; event; event = next) {
        next = event->next;
        free(event);
    }
    free(id);
    stub_ids--;
    return 0;
}

int rdma_migrate_id(struct rdma_cm_id *id, struct rdma_event_channel *channel) {
    if (((struct stub_id *) id)->unacknowledged)
        abort();
    struct stub_event *events = take_events(id);
    ((struct stub_id *) id)->file = channel;
    for (struct stub_event *next; events; events = next) {
        next = events->next;
        events->next = NULL;
        append((struct stub_channel *) channel, events);
    }
    for (int64_t left = stub_migration_millis; left > 0 && ((volatile struct stub_channel *) channel)->first; left--)
        usleep(1000);
    id->channel = channel;
    return 0;
}

int rdma_set_option(struct rdma_cm_id *id, int level, int optname, void *optval, size_t optlen) {
    (void) id;
    (void) optval;
    if (level != RDMA_OPTION_ID)
        return failure(ENOSYS);
    switch (optname) {
    case RDMA_OPTION_ID_TOS:
    case RDMA_OPTION_ID_ACK_TIMEOUT:
        return optlen == 1 ? 0 : failure(EINVAL);
    case RDMA_OPTION_ID_REUSEADDR:
    case RDMA_OPTION_ID_AFONLY:
        return optlen == sizeof(int) ? 0 : failure(EINVAL);
    default:
        return failure(ENOSYS);
    }
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *addr) {
    struct sockaddr_in *address = (struct sockaddr_in *) addr;
    if (id->route.addr.src_addr.sa_family)
        return failure(EINVAL);
    if (address->sin_addr.s_addr && !context_of(addr))
        return failure(ENODEV);
    id->route.addr.src_sin = *address;
    if (!address->sin_port)
        id->route.addr.src_sin.sin_port = htons(4000);
    use_device(id, context_of(addr));
    return 0;
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *src_addr, struct sockaddr *dst_addr, int timeout_ms) {
    (void) timeout_ms;
    if (src_addr)
        id->route.addr.src_sin = *(struct sockaddr_in *) src_addr;
    id->route.addr.dst_sin = *(struct sockaddr_in *) dst_addr;
    raise_event(id, RDMA_CM_EVENT_ADDR_RESOLVED);
    return 0;
}

int rdma_resolve_route(struct rdma_cm_id *id, int timeout_ms) {
    (void) timeout_ms;
    if (!id->verbs)
        abort();
    raise_event(id, stub_route_status ? RDMA_CM_EVENT_ROUTE_ERROR : RDMA_CM_EVENT_ROUTE_RESOLVED)->base.status =
        (int) stub_route_status;
    return 0;
}

static void raise_request(struct rdma_cm_id *listener, struct ibv_context *context) {
    struct rdma_cm_id *child;
    rdma_create_id(listener->channel, &child, NULL, listener->ps);
    use_device(child, context);
    struct stub_event *event = raise_event(listener, RDMA_CM_EVENT_CONNECT_REQUEST);
    event->base.id = child;
    event->base.listen_id = listener;
    event->base.param.conn.qp_num = 0x123456;
    event->base.param.conn.responder_resources = 255;
}

/* Raises a request to the other device, and one to stub0. */
int rdma_listen(struct rdma_cm_id *id, int backlog) {
    (void) backlog;
    raise_request(id, &other_context);
    raise_request(id, &own_context);
    return 0;
}

/* The peer rejects the request, with its private data. */
int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *param) {
    if (!id->verbs)
        abort();
    stub_connects++;
    struct stub_event *event = raise_event(id, RDMA_CM_EVENT_REJECTED);
    event->base.status = 28;
    event->base.param.conn.private_data = event->private_data;
    event->base.param.conn.private_data_len = param->private_data_len;
    memcpy(event->private_data, param->private_data, param->private_data_len);
    return 0;
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *param) {
    (void) param;
    if (!id->verbs)
        abort();
    if (is_elsewhere(id))
        return failure(EINVAL);
    return 0;
}

int rdma_disconnect(struct rdma_cm_id *id) {
    if (!id->verbs)
        abort();
    return 0;
}

int rdma_join_multicast_ex(struct rdma_cm_id *id, struct rdma_cm_join_mc_attr_ex *attr, void *context) {
    struct stub_id *member = (struct stub_id *) id;
    struct sockaddr_in *group = (struct sockaddr_in *) attr->addr;
    memcpy(&member->joined, group, sizeof *group);
    member->join_context = context;
    struct rdma_ud_param *param = &raise_event(id, RDMA_CM_EVENT_MULTICAST_JOIN)->base.param.ud;
    param->private_data = context;
    param->qp_num = 0xffffff;
    param->qkey = RDMA_UDP_QKEY;
    param->ah_attr.is_global = 1;
    param->ah_attr.port_num = 1;
    memset(&param->ah_attr.grh.dgid.raw[10], 0xff, 2);
    memcpy(&param->ah_attr.grh.dgid.raw[12], &group->sin_addr, 4);
    return 0;
}

int rdma_leave_multicast(struct rdma_cm_id *id, struct sockaddr *addr) {
    struct stub_id *member = (struct stub_id *) id;
    if (memcmp(&member->joined, addr, sizeof(struct sockaddr_in)))
        return failure(EADDRNOTAVAIL);
    memset(&member->joined, 0, sizeof member->joined);
    return 0;
}

/* What the tests do not use. */
int rdma_reject(struct rdma_cm_id *id, const void *private_data, uint8_t private_data_len) {
    (void) id, (void) private_data, (void) private_data_len;
    return failure(EOPNOTSUPP);
}

int rdma_establish(struct rdma_cm_id *id) {
    (void) id;
    return failure(EOPNOTSUPP);
}

int rdma_notify(struct rdma_cm_id *id, enum ibv_event_type event) {
    (void) id, (void) event;
    return failure(EOPNOTSUPP);
}

int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *attr, int *mask) {
    (void) id, (void) attr, (void) mask;
    return failure(EOPNOTSUPP);
}

const char *rdma_event_str(enum rdma_cm_event_type event) {
    (void) event;
    return "event";
}
