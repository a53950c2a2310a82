/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads that wait for each other's lock, while a third one beats ten
 * times a second.  It does not end.
 */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { BEAT_USEC = 100000, LATER_USEC = 200000 };

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t two = PTHREAD_MUTEX_INITIALIZER;

static void *beat(void *nothing)
{
	(void)nothing;
	for (;;)
		usleep(BEAT_USEC);
	return NULL;
}

static void *take_two(void *nothing)
{
	pthread_mutex_lock(&two);
	usleep(LATER_USEC);
	pthread_mutex_lock(&one);
	return nothing;
}

int main(void)
{
	pthread_t heart, other;

	if (pthread_create(&heart, NULL, beat, NULL) != 0 ||
	    pthread_create(&other, NULL, take_two, NULL) != 0)
		return 1;
	pthread_mutex_lock(&one);
	usleep(LATER_USEC);
	pthread_mutex_lock(&two);
	return 0;
}
