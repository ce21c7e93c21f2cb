/* stale-code SECONDS: checks that a processor executes code that another one has written. One thread calls a function
   that returns a constant; another one changes the constant in the code and waits until the new one is returned. Fails
   if this takes longer than 5 seconds. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static unsigned char *code;
static volatile unsigned returned;

static void run_on(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        perror("sched_setaffinity");
        exit(2);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void *call(void *ignored) {
    unsigned (*function)(void);
    memcpy(&function, &code, sizeof code);
    run_on(1);
    for (;;) {
        unsigned leaf = 0;
        returned = function();
        /* x86 requires a serializing instruction before code that another processor has modified is executed. */
        __asm__ volatile("cpuid" : "+a"(leaf) : : "ebx", "ecx", "edx", "memory");
    }
    return ignored;
}

int main(int count, char **arguments) {
    double end = seconds() + (count > 1 ? atof(arguments[1]) : 5);
    pthread_t thread;
    run_on(0);
    code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    memcpy(code, "\xb8\0\0\0\0\xc3", 6); /* mov eax, 0; ret */
    if (pthread_create(&thread, NULL, call, NULL) != 0) {
        return 2;
    }
    unsigned written = 0;
    while (seconds() < end) {
        double patience = seconds() + 5;
        *(volatile unsigned *)(code + 1) = ++written;
        while (returned != written) {
            if (seconds() > patience) {
                printf("%u was written, but %u is returned\n", written, returned);
                return 1;
            }
        }
    }
    printf("each of %u constants was returned\n", written);
    return written < 100 ? 2 : 0;
}
