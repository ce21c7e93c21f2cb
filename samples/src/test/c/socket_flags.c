/*
 * For LD_PRELOAD before librspreload.so.1 of librdmacm: lets a program run on rsocket that uses functions and options
 * of Linux which librspreload up to version 44 does not have. socket() with SOCK_NONBLOCK or SOCK_CLOEXEC would be a
 * TCP socket, accept4() would fail with ENOTSOCK, and setsockopt() with SO_REUSEPORT with ENOTSUP.
 *
 *   gcc -shared -fPIC -O2 -Wall -Wextra -Werror -o socket_flags.so socket_flags.c
 *   LD_PRELOAD=./socket_flags.so:librspreload.so.1 nc.openbsd -l 5001
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

int socket(int domain, int type, int protocol)
{
	int (*next)(int, int, int) = (int (*)(int, int, int)) dlsym(RTLD_NEXT, "socket");
	int plain = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	int fd;

	if (plain != SOCK_STREAM || plain == type || (domain != AF_INET && domain != AF_INET6))
		return next(domain, type, protocol);
	fd = next(domain, plain, protocol);
	if (fd >= 0 && (type & SOCK_NONBLOCK))
		fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags)
{
	int fd = accept(listener, address, length);

	if (fd >= 0 && (flags & SOCK_NONBLOCK))
		fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	int (*next)(int, int, int, const void *, socklen_t) =
		(int (*)(int, int, int, const void *, socklen_t)) dlsym(RTLD_NEXT, "setsockopt");
	int result = next(fd, level, name, value, length);

	return result && errno == ENOTSUP && level == SOL_SOCKET && name == SO_REUSEPORT ? 0 : result;
}
