/*
 * For LD_PRELOAD: lets the datagram mode of librdmacm's rsocket run on RoCE. It creates the address handle of its own
 * port without a GID, which only InfiniBand has; Linux refuses that for RoCE with EINVAL, and rconnect then fails with
 * ENOENT. This ibv_create_ah gives such an address handle the GID of the port: the first IPv4-mapped one, or that at
 * index 0.
 *
 *   gcc -shared -fPIC -O2 -Wall -Wextra -Werror -o roce_ah.so roce_ah.c -libverbs
 *   LD_PRELOAD=./roce_ah.so udpong -b 192.0.2.1
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <infiniband/verbs.h>

static int ipv4_mapped(const union ibv_gid *gid)
{
	return !gid->raw[0] && gid->raw[10] == 0xff && gid->raw[11] == 0xff && gid->raw[12];
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct ibv_ah *(*create)(struct ibv_pd *, struct ibv_ah_attr *) =
		(struct ibv_ah *(*)(struct ibv_pd *, struct ibv_ah_attr *))
		dlvsym(RTLD_NEXT, "ibv_create_ah", "IBVERBS_1.1");
	struct ibv_ah_attr global = *attr;
	struct ibv_port_attr port;
	union ibv_gid gid;
	int i;

	if (attr->is_global || ibv_query_port(pd->context, attr->port_num, &port) ||
	    port.link_layer != IBV_LINK_LAYER_ETHERNET)
		return create(pd, attr);

	global.is_global = 1;
	global.grh.hop_limit = 64;
	for (i = 0; i < port.gid_tbl_len; i++) {
		if (ibv_query_gid(pd->context, attr->port_num, i, &gid))
			break;
		if (!i || ipv4_mapped(&gid)) {
			global.grh.sgid_index = i;
			global.grh.dgid = gid;
		}
		if (ipv4_mapped(&gid))
			break;
	}
	return create(pd, &global);
}
