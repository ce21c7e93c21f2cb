/*
 * A stub of libibverbs with one device, stub0. Its queues are in memory only: posting copies a request into a ring,
 * polling copies a completion out of a ring, without locks and without hardware. So its data path costs about as much
 * as that of a real driver. A posted request is executed by writing its completion, if it generates one. Benchmarks and
 * tests load it with -Djverbs.libibverbs=PATH. Verbs that neither of them needs fail with EOPNOTSUPP.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <infiniband/verbs.h>

#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr

enum { CQ_SIZE = 1024, MAX_SEND_WR = 256, MAX_SGE = 4, MAX_EVENTS = 16 };

struct wqe {
    uint64_t wr_id;
    uint32_t opcode;
    uint32_t flags;
    uint64_t remote_addr;
    uint32_t rkey;
    uint32_t num_sge;
    struct ibv_sge sge[MAX_SGE];
};

struct cqe {
    uint64_t wr_id;
    uint32_t opcode;
    uint32_t byte_len;
    uint32_t qp_num;
};

struct stub_cq {
    struct ibv_cq base;
    int armed;
    uint64_t produced;
    uint64_t consumed;
    struct cqe ring[CQ_SIZE];
};

struct stub_qp {
    struct ibv_qp base;
    struct ibv_qp_init_attr init;
    uint32_t ece_options;
    uint64_t posted;
    struct wqe ring[MAX_SEND_WR];
};

/* Supports one thread that raises events and one that takes them. */
struct stub_channel {
    struct ibv_comp_channel base;
    uint64_t raised;
    uint64_t taken;
    struct ibv_cq *events[MAX_EVENTS];
};

struct stub_srq {
    struct ibv_srq base;
    struct ibv_srq_attr attr;
};

struct object {
    struct object *next;
    void *address;
};

static struct object *objects;
static atomic_flag objects_lock = ATOMIC_FLAG_INIT;

/* Numbers of objects that exist, and of calls that were to destroy one that does not, for tests. */
long stub_objects;
long stub_wrong_destructions;

static void lock_objects(void) {
    while (atomic_flag_test_and_set(&objects_lock)) {
    }
}

static void *create(size_t size) {
    struct object *object = malloc(sizeof *object);
    object->address = calloc(1, size);
    lock_objects();
    object->next = objects;
    objects = object;
    stub_objects++;
    atomic_flag_clear(&objects_lock);
    return object->address;
}

static int destroy(void *address) {
    lock_objects();
    struct object **link = &objects;
    while (*link && (*link)->address != address) {
        link = &(*link)->next;
    }
    struct object *found = *link;
    if (found) {
        *link = found->next;
        stub_objects--;
    } else {
        stub_wrong_destructions++;
    }
    atomic_flag_clear(&objects_lock);
    if (!found) {
        return EINVAL;
    }
    free(found->address);
    free(found);
    return 0;
}

static void raise_event(struct stub_cq *cq) {
    struct stub_channel *channel = (struct stub_channel *)cq->base.channel;
    cq->armed = 0;
    channel->events[channel->raised++ % MAX_EVENTS] = &cq->base;
    eventfd_write(channel->base.fd, 1);
}

/* The return value for a request with too many elements. A driver may return -errno instead of errno. */
int stub_refusal = EINVAL;

/* Number of calls of post_send, for tests of requests that must not reach the driver. */
long stub_posts;

/* Numbers of acknowledged events. */
long stub_async_acks;
long stub_cq_acks;

/* The errno of the next call of ibv_close_device. */
int stub_close_refusal;

/* Makes every poll return a completion, as if one had just been generated. */
void stub_never_empty(struct ibv_cq *cq) {
    ((struct stub_cq *)cq)->produced = UINT64_MAX / 2;
}

static int post_send(struct ibv_qp *base, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr) {
    struct stub_qp *qp = (struct stub_qp *)base;
    stub_posts++;
    for (; wr; wr = wr->next) {
        if (wr->num_sge < 0 || (uint32_t)wr->num_sge > qp->init.cap.max_send_sge) {
            *bad_wr = wr;
            return stub_refusal;
        }
        struct stub_cq *cq = (struct stub_cq *)base->send_cq;
        int signaled = qp->init.sq_sig_all || (wr->send_flags & IBV_SEND_SIGNALED);
        if (signaled && cq->produced - cq->consumed >= CQ_SIZE) {
            *bad_wr = wr;
            return ENOMEM;
        }
        struct wqe *wqe = &qp->ring[qp->posted++ & (MAX_SEND_WR - 1)];
        wqe->wr_id = wr->wr_id;
        wqe->opcode = wr->opcode;
        wqe->flags = wr->send_flags;
        wqe->remote_addr = wr->wr.rdma.remote_addr;
        wqe->rkey = wr->wr.rdma.rkey;
        wqe->num_sge = wr->num_sge;
        uint32_t length = 0;
        for (int i = 0; i < wr->num_sge; i++) {
            wqe->sge[i] = wr->sg_list[i];
            length += wr->sg_list[i].length;
        }
        if (signaled) {
            struct cqe *cqe = &cq->ring[cq->produced++ & (CQ_SIZE - 1)];
            cqe->wr_id = wr->wr_id;
            cqe->opcode = wr->opcode == IBV_WR_RDMA_WRITE ? IBV_WC_RDMA_WRITE : IBV_WC_SEND;
            cqe->byte_len = length;
            cqe->qp_num = base->qp_num;
            if (cq->armed) {
                raise_event(cq);
            }
        }
    }
    return 0;
}

static int poll_cq(struct ibv_cq *base, int entries, struct ibv_wc *wc) {
    struct stub_cq *cq = (struct stub_cq *)base;
    int n = 0;
    for (; n < entries && cq->consumed != cq->produced; n++, wc++) {
        const struct cqe *cqe = &cq->ring[cq->consumed++ & (CQ_SIZE - 1)];
        wc->wr_id = cqe->wr_id;
        wc->status = IBV_WC_SUCCESS;
        wc->opcode = cqe->opcode;
        wc->vendor_err = 0;
        wc->byte_len = cqe->byte_len;
        wc->imm_data = 0;
        wc->qp_num = cqe->qp_num;
        wc->src_qp = 0;
        wc->wc_flags = 0;
        wc->pkey_index = 0;
        wc->slid = 0;
        wc->sl = 0;
        wc->dlid_path_bits = 0;
    }
    return n;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr) {
    uint32_t most = ((struct stub_qp *)qp)->init.cap.max_recv_sge;
    for (; wr; wr = wr->next) {
        if (wr->num_sge < 0 || (uint32_t)wr->num_sge > most) {
            *bad_wr = wr;
            return stub_refusal;
        }
    }
    return 0;
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr) {
    (void)srq;
    *bad_wr = wr;
    return EOPNOTSUPP;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only) {
    (void)solicited_only;
    ((struct stub_cq *)cq)->armed = 1;
    return 0;
}

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type) {
    struct ibv_mw *mw = create(sizeof *mw);
    mw->context = pd->context;
    mw->pd = pd;
    mw->type = type;
    return mw;
}

static int dealloc_mw(struct ibv_mw *mw) {
    return destroy(mw);
}

/* The creation flags of the latest queue pair that had some, and the errno of the next creation with some. */
int stub_create_flags;
int stub_create_flags_refusal;

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *init) {
    (void)context;
    stub_create_flags = init->create_flags;
    if (stub_create_flags_refusal) {
        errno = stub_create_flags_refusal;
        stub_create_flags_refusal = 0;
        return NULL;
    }
    return ibv_create_qp(init->pd, (struct ibv_qp_init_attr *)init);
}

static struct ibv_device device = {
    .node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "stub0", .dev_name = "uverbs-stub0"};

struct ibv_device **ibv_get_device_list(int *count) {
    struct ibv_device **list = calloc(2, sizeof *list);
    list[0] = &device;
    if (count) {
        *count = 1;
    }
    return list;
}

void ibv_free_device_list(struct ibv_device **list) {
    free(list);
}

const char *ibv_get_device_name(struct ibv_device *of) {
    return of->name;
}

__be64 ibv_get_device_guid(struct ibv_device *of) {
    (void)of;
    return 0x0100000000000002;
}

struct ibv_context *ibv_open_device(struct ibv_device *of) {
    struct verbs_context *extended = create(sizeof *extended);
    extended->sz = sizeof *extended;
    extended->create_qp_ex = create_qp_ex;
    struct ibv_context *context = &extended->context;
    context->abi_compat = __VERBS_ABI_IS_EXTENDED;
    context->device = of;
    context->ops.poll_cq = poll_cq;
    context->ops.req_notify_cq = req_notify_cq;
    context->ops.post_send = post_send;
    context->ops.post_recv = post_recv;
    context->ops.post_srq_recv = post_srq_recv;
    context->ops.alloc_mw = alloc_mw;
    context->ops.dealloc_mw = dealloc_mw;
    context->cmd_fd = -1;
    context->async_fd = eventfd(0, EFD_CLOEXEC);
    context->num_comp_vectors = 1;
    return context;
}

int ibv_close_device(struct ibv_context *context) {
    int refusal = stub_close_refusal;
    if (refusal) {
        stub_close_refusal = 0;
        return refusal;
    }
    close(context->async_fd);
    return destroy((char *)context - offsetof(struct verbs_context, context));
}

/* An asynchronous event is a write to async_fd; it is a CQ_ERR that names no completion queue. */
int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event) {
    eventfd_t one;
    memset(event, 0, sizeof *event);
    return eventfd_read(context->async_fd, &one) ? -1 : 0;
}

void ibv_ack_async_event(struct ibv_async_event *event) {
    (void)event;
    stub_async_acks++;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
    (void)context;
    *attr = (struct ibv_device_attr){.max_mr_size = UINT64_MAX, .page_size_cap = 4096, .max_qp = 1024,
        .max_qp_wr = MAX_SEND_WR, .max_sge = MAX_SGE, .max_sge_rd = MAX_SGE, .max_cq = 1024, .max_cqe = CQ_SIZE,
        .max_mr = 1024, .max_pd = 1024, .max_ah = 1024, .max_pkeys = 1, .phys_port_cnt = 1};
    snprintf(attr->fw_ver, sizeof attr->fw_ver, "1");
    return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *compat) {
    (void)context;
    struct ibv_port_attr *attr = (struct ibv_port_attr *)compat;
    if (port != 1) {
        return EINVAL;
    }
    attr->state = IBV_PORT_ACTIVE;
    attr->max_mtu = IBV_MTU_4096;
    attr->active_mtu = IBV_MTU_4096;
    attr->gid_tbl_len = 1;
    attr->pkey_tbl_len = 1;
    attr->max_msg_sz = 1U << 30;
    attr->link_layer = IBV_LINK_LAYER_ETHERNET;
    return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
    struct ibv_pd *pd = create(sizeof *pd);
    pd->context = context;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
    return destroy(pd);
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access) {
    static uint32_t keys;
    struct ibv_mr *mr = create(sizeof *mr);
    (void)access;
    mr->context = pd->context;
    mr->pd = pd;
    mr->addr = addr;
    mr->length = length;
    mr->lkey = mr->rkey = ++keys << 8;
    return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr) {
    return destroy(mr);
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr) {
    struct ibv_ah *ah = create(sizeof *ah);
    (void)attr;
    ah->context = pd->context;
    ah->pd = pd;
    return ah;
}

int ibv_destroy_ah(struct ibv_ah *ah) {
    return destroy(ah);
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
    struct stub_channel *channel = create(sizeof *channel);
    channel->base.context = context;
    channel->base.fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
    return &channel->base;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
    int fd = channel->fd;
    int status = destroy(channel);
    if (status == 0) {
        close(fd);
    }
    return status;
}

int ibv_get_cq_event(struct ibv_comp_channel *base, struct ibv_cq **cq, void **cq_context) {
    struct stub_channel *channel = (struct stub_channel *)base;
    eventfd_t one;
    if (eventfd_read(base->fd, &one)) {
        return -1;
    }
    *cq = channel->events[channel->taken++ % MAX_EVENTS];
    *cq_context = (*cq)->cq_context;
    return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int count) {
    (void)cq;
    stub_cq_acks += count;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel,
                             int vector) {
    struct stub_cq *cq = create(sizeof *cq);
    (void)cqe;
    (void)vector;
    cq->base.context = context;
    cq->base.cq_context = cq_context;
    cq->base.channel = channel;
    cq->base.cqe = CQ_SIZE;
    return &cq->base;
}

int ibv_destroy_cq(struct ibv_cq *cq) {
    return destroy(cq);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *init) {
    static uint32_t numbers = 16;
    if (init->cap.max_send_sge > MAX_SGE || init->cap.max_send_wr > MAX_SEND_WR) {
        errno = EINVAL;
        return NULL;
    }
    struct stub_qp *qp = create(sizeof *qp);
    qp->init = *init;
    qp->base.context = pd->context;
    qp->base.pd = pd;
    qp->base.send_cq = init->send_cq;
    qp->base.recv_cq = init->recv_cq;
    qp->base.qp_num = ++numbers;
    qp->base.qp_type = init->qp_type;
    return &qp->base;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask) {
    if (mask & IBV_QP_STATE) {
        qp->state = attr->qp_state;
    }
    return 0;
}

/* The device has options of one vendor, 0x15b3. */
int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece) {
    if (ece->vendor_id != 0x15b3 || ece->comp_mask) {
        errno = EINVAL;
        return errno;
    }
    ((struct stub_qp *) qp)->ece_options = ece->options;
    return 0;
}

int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece) {
    ece->vendor_id = 0x15b3;
    ece->options = ((struct stub_qp *) qp)->ece_options;
    ece->comp_mask = 0;
    return 0;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init) {
    (void)mask;
    memset(attr, 0, sizeof *attr);
    attr->qp_state = qp->state;
    *init = ((struct stub_qp *)qp)->init;
    return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp) {
    return destroy(qp);
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *init) {
    struct stub_srq *srq = create(sizeof *srq);
    srq->base.context = pd->context;
    srq->base.pd = pd;
    srq->attr = init->attr;
    return &srq->base;
}

int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr) {
    *attr = ((struct stub_srq *)srq)->attr;
    return 0;
}

int ibv_destroy_srq(struct ibv_srq *srq) {
    return destroy(srq);
}

/*
 * Other functions that a library must export to be accepted as libibverbs. Their types differ from those in the header,
 * which has no effect because they ignore their arguments.
 */
#define REFUSING_STATUS(name) \
    int stub_##name(void) __asm__(#name); \
    int stub_##name(void) { return EOPNOTSUPP; }
#define REFUSING_POINTER(name) \
    void *stub_##name(void) __asm__(#name); \
    void *stub_##name(void) { errno = EOPNOTSUPP; return NULL; }

REFUSING_STATUS(ibv_query_gid)
REFUSING_STATUS(ibv_query_pkey)
REFUSING_STATUS(ibv_fork_init)
REFUSING_STATUS(ibv_rereg_mr)
REFUSING_STATUS(ibv_resize_cq)
REFUSING_STATUS(ibv_modify_srq)
REFUSING_STATUS(ibv_attach_mcast)
REFUSING_STATUS(ibv_detach_mcast)
REFUSING_STATUS(ibv_init_ah_from_wc)
REFUSING_POINTER(ibv_create_ah_from_wc)
REFUSING_STATUS(ibv_resolve_eth_l2_from_gid)
REFUSING_STATUS(ibv_rate_to_mult)
REFUSING_STATUS(ibv_rate_to_mbps)
REFUSING_POINTER(ibv_wc_status_str)
REFUSING_POINTER(ibv_node_type_str)
REFUSING_POINTER(ibv_port_state_str)
REFUSING_POINTER(ibv_event_type_str)
