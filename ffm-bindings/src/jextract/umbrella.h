/* Everything that jextract reads. verbs.h brings verbs_api.h and ib_user_ioctl_verbs.h, rdma_cma.h brings sa.h. */
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
