/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The doctor's checks of recorder and folders with trees of files and the
 * test's own recorder: each check's OK and each possible fault.
 */
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "analyzer/settings/settings.h"
#include "common/protocol.h"
#include "test/unit/analyzer/doctor/doctor_kit.h"

#define SPOOL SPOOLDIR "/node"
#define PROFILES SPOOLDIR "/profiles"

/* Group of the tests' folders. */
#define GROUP_LINE "root:x:0:\nstepwell:x:%u:\n"

static struct statfs statfs_result;

static int fake_statfs(int fd, struct statfs *statfs)
{
	(void)fd;
	*statfs = statfs_result;
	return 0;
}

static void put_group(gid_t gid)
{
	char text[128];

	snprintf(text, sizeof(text), GROUP_LINE, gid);
	kit_put("etc/group", text);
}

/* A node without faults. */
static void make_node(void)
{
	kit_put("usr/sbin/slurmd", "");
	kit_put("etc/passwd", "root:x:0:0::/:\nstepwell:x:990:990::/:\n");
	put_group(getegid());
	kit_folder(SPOOL, 0700);
	kit_folder(PROFILES, 03773);
	kit.is_root = true;
	kit.probes.statfs = fake_statfs;
	statfs_result = (struct statfs){
		.f_type = 0xef53, .f_bsize = 4096, .f_bavail = 1 << 20,
	};
}

/* A single connection to a recorder controlled by the test. */
static int listen_there(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	kit_folder("run/stepwell", 0755);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s",
		 kit_path("run/stepwell/recorder.sock"));
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address,
			      sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 4), 0);
	return fd;
}

/* Type 0: it hangs up. */
static void answer_once(int fd, int type)
{
	struct sw_message_header message;
	ssize_t length;
	int peer;

	if (fork() != 0)
		return;
	peer = accept(fd, NULL, NULL);
	length = recv(peer, &message, sizeof(message), 0);
	/* Answer only messages that the real recorder accepts as PING. */
	if (length > 0 && sw_message_check(&message, (size_t)length) &&
	    message.type == SW_MESSAGE_PING && type) {
		sw_message_head(&message, (enum sw_message_type)type,
				sizeof(message));
		send(peer, &message, sizeof(message), MSG_NOSIGNAL);
	}
	_exit(0);
}

START_TEST(recorder_answers)
{
	int fd;

	kit_put("usr/sbin/slurmd", "");
	fd = listen_there();
	answer_once(fd, SW_MESSAGE_ANSWER);
	kit_ask(sw_check_recorder, SW_HEALTH_OK, "answers at /run/stepwell");
	answer_once(fd, SW_MESSAGE_TASK_END);
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "not a recorder of this");
	answer_once(fd, 0);
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL,
		PKGLIBEXECDIR "/stepwell-recorder does not exist");
	kit_put(&(PKGLIBEXECDIR "/stepwell-recorder")[1], "");
	answer_once(fd, 0);
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "hung up");
	/* If switched off it is not even queried. */
	kit_put("etc/stepwell/off", "");
	kit_ask(sw_check_recorder, SW_HEALTH_SKIP, "switched off");
	kit_remove("etc/stepwell/off");
	answer_once(fd, SW_MESSAGE_ANSWER);
	kit_ask(sw_check_recorder, SW_HEALTH_OK, "answers at /run/stepwell");
	kit.owner++;
	answer_once(fd, SW_MESSAGE_ANSWER);
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "is not root");
	close(fd);
}
END_TEST

static const char *restarts;

static int show_restarts(const char *const *argv, char *line, size_t size)
{
	ck_assert_str_eq(argv[0], "systemctl");
	snprintf(line, size, "NRestarts=%s", restarts);
	return 0;
}

START_TEST(recorder_beside_its_unit)
{
	int fd;

	kit_put("usr/sbin/slurmd", "");
	kit.probes.run = show_restarts;
	restarts = "0";
	fd = listen_there();
	answer_once(fd, SW_MESSAGE_ANSWER);
	kit_ask(sw_check_recorder, SW_HEALTH_OK, "answers at /run/stepwell");
	restarts = "7";
	answer_once(fd, SW_MESSAGE_ANSWER);
	kit_ask(sw_check_recorder, SW_HEALTH_WARN,
		"had to restart stepwell-recorder.service 7 times");
	restarts = "0";
	/* Units that are not enabled: slurmd starts it. */
	kit_put("usr/lib/systemd/system/stepwell-recorder.socket", "");
	answer_once(fd, SW_MESSAGE_ANSWER);
	kit_ask(sw_check_recorder, SW_HEALTH_OK, "answers at /run/stepwell");
	kit_put("etc/systemd/system/sockets.target.wants/"
		"stepwell-recorder.socket", "");
	answer_once(fd, SW_MESSAGE_ANSWER);
	kit_ask(sw_check_recorder, SW_HEALTH_WARN,
		"was started by slurmd, although stepwell-recorder.socket");
	kit_fix("systemctl reset-failed 'stepwell-recorder.*'; systemctl "
		"restart stepwell-recorder.socket");
	close(fd);
}
END_TEST

START_TEST(recorder_is_not_there)
{
	kit_ask(sw_check_recorder, SW_HEALTH_SKIP, "no slurmd here");
	kit_put("usr/lib/systemd/system/slurmd.service", "");
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL,
		PKGLIBEXECDIR "/stepwell-recorder does not exist");
	kit_fix("apt-get install stepwell || dnf install stepwell");
	kit_put(&(PKGLIBEXECDIR "/stepwell-recorder")[1], "");
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "was not started");
	kit_fix("systemctl restart slurmd");
	kit_put("usr/lib/systemd/system/stepwell-recorder.socket", "");
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "was not started");
	kit_fix("systemctl reset-failed 'stepwell-recorder.*'; "
		"systemctl enable --now stepwell-recorder.socket");
	close(listen_there());
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "nothing listens");
	kit_fix("systemctl restart stepwell-recorder.service");
	kit_remove("usr/lib/systemd/system/stepwell-recorder.socket");
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "nothing listens");
	kit_fix("systemctl restart slurmd");
	/* A site's own units. */
	kit_put("usr/local/lib/systemd/system/stepwell-recorder.socket", "");
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "nothing listens");
	kit_fix("systemctl restart stepwell-recorder.service");
	kit_remove("usr/local/lib/systemd/system/stepwell-recorder.socket");
	kit_put("etc/stepwell/off", "");
	kit_ask(sw_check_recorder, SW_HEALTH_SKIP, "switched off");
	kit_remove("run/stepwell/recorder.sock");
	kit_put("run/stepwell/recorder.sock", "no socket");
	kit_remove("etc/stepwell/off");
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "nothing listens");
}
END_TEST

START_TEST(recorder_is_silent)
{
	int fd = listen_there();

	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "did not answer within 2000 ms");
	kit_fix("pkill -KILL -xf '" PKGLIBEXECDIR "/stepwell-recorder --node "
		"--detach'; systemctl restart slurmd");
	close(fd);
}
END_TEST

/* The plugin's socket= is queried. */
START_TEST(recorder_elsewhere)
{
	kit_put(&(PKGLIBEXECDIR "/stepwell-recorder")[1], "");
	kit_put("usr/sbin/slurmd", "");
	kit_put("etc/slurm/plugstack.conf",
		"optional stepwell.so socket=/run/other.sock\n");
	kit_ask(sw_check_recorder, SW_HEALTH_FAIL, "/run/other.sock does not");
}
END_TEST

START_TEST(account)
{
	kit_ask(sw_check_account, SW_HEALTH_SKIP, "no slurmd");
	make_node();
	put_group(990);
	kit_ask(sw_check_account, SW_HEALTH_OK, "user 990, group 990");
	kit_put("etc/passwd", "root:x:0:0::/:\nstepwell:x:0:990::/:\n");
	kit_ask(sw_check_account, SW_HEALTH_FAIL, "the id 0");
	kit_put("etc/passwd", "root:x:0:0::/:\n");
	kit_ask(sw_check_account, SW_HEALTH_FAIL, "no user and group");
}
END_TEST

START_TEST(settings)
{
	kit_ask(sw_check_settings, SW_HEALTH_OK, "defaults");
	kit_put(&SW_SETTINGS_PATH[1],
		"rules:\n  io.stalled:\n    min_lost_ratio: 0.2\n");
	kit_ask(sw_check_settings, SW_HEALTH_OK, "valid");
	kit_put(&SW_SETTINGS_PATH[1],
		"node_catalogue: /etc/stepwell/nodes.csv\n");
	kit_ask(sw_check_settings, SW_HEALTH_WARN, "so no job has a cost");
	kit_put("etc/stepwell/nodes.csv", "node,cpus,memory_gib\nn1,1,x\n");
	kit_ask(sw_check_settings, SW_HEALTH_WARN,
		"nodes.csv:2: memory_gib must be");
	kit_put("etc/stepwell/nodes.csv", "node,cpus,memory_gib\nn1,1,1\n");
	kit_ask(sw_check_settings, SW_HEALTH_OK, "valid");
	kit_put(&SW_SETTINGS_PATH[1], "rules:\n  io.stalld:\n");
	kit_ask(sw_check_settings, SW_HEALTH_FAIL,
		"stepwell.yaml:2:3: unknown rule");
}
END_TEST

START_TEST(spool)
{
	kit_ask(sw_check_spool, SW_HEALTH_SKIP, "no slurmd");
	make_node();
	kit_ask(sw_check_spool, SW_HEALTH_OK, "4.0 GiB free");
	statfs_result.f_bavail = 1 << 15;
	kit_ask(sw_check_spool, SW_HEALTH_WARN, "128 MiB free");
	statfs_result.f_bavail = 1 << 10;
	kit_ask(sw_check_spool, SW_HEALTH_FAIL, "4.0 MiB free");
	statfs_result.f_bavail = 1 << 20;
	statfs_result.f_type = 0x6969;
	kit_ask(sw_check_spool, SW_HEALTH_FAIL, "is on NFS");
	statfs_result.f_type = (__fsword_t)0xff534d42;
	kit_ask(sw_check_spool, SW_HEALTH_FAIL, "is on CIFS");
}
END_TEST

START_TEST(spool_of_others)
{
	make_node();
	kit_mode(SPOOL, 0755);
	kit_ask(sw_check_spool, SW_HEALTH_FAIL, "with mode 0755");
	kit_fix("install -d -m 0700 -o root -g root " SPOOL);
	kit_mode(SPOOL, 0700);
	kit_mode(SPOOLDIR, 0777);
	kit_ask(sw_check_spool, SW_HEALTH_FAIL, "could replace the spool");
	kit_fix("install -d -m 0755 -o root -g root " SPOOLDIR);
	kit_mode(SPOOLDIR, 0755);
	kit.owner++;
	kit_ask(sw_check_spool, SW_HEALTH_FAIL, "could replace the spool");
	kit.owner--;
	kit_remove(SPOOL);
	kit_ask(sw_check_spool, SW_HEALTH_FAIL, "No such file");
	kit_fix("install -d -m 0700 -o root -g root " SPOOL);
	kit_link(SPOOL, "../..");
	kit_ask(sw_check_spool, SW_HEALTH_FAIL, "is not a folder");
}
END_TEST

START_TEST(profile_dir)
{
	kit_ask(sw_check_profile_dir, SW_HEALTH_SKIP, "no slurmd");
	make_node();
	kit_ask(sw_check_profile_dir, SW_HEALTH_OK, "mode 3773");
	kit_mode(PROFILES, 0755);
	kit_ask(sw_check_profile_dir, SW_HEALTH_FAIL, "with mode 0755");
	kit_fix("install -d -m 3773 -o root -g stepwell " PROFILES);
	kit_mode(PROFILES, 03773);
	put_group(getegid() + 1);
	kit_ask(sw_check_profile_dir, SW_HEALTH_FAIL, "with mode 3773");
	kit_put("etc/group", "root:x:0:\n");
	kit_ask(sw_check_profile_dir, SW_HEALTH_SKIP, "without the group");
	kit_remove(PROFILES);
	kit_ask(sw_check_profile_dir, SW_HEALTH_FAIL, "No such file");
	/* The settings name another folder. */
	kit_put(&SW_SETTINGS_PATH[1], "profile_dir: /shared/p\n");
	kit_ask(sw_check_profile_dir, SW_HEALTH_FAIL, "/shared/p: No such");
	/* A server may map root to nobody: other commands must still run. */
	kit_fix("install -d -m 3773 -o root -g stepwell /shared/p || echo "
		"'run this on the file server: install -d -m 3773 -o root -g "
		"stepwell /shared/p' >&2");
	kit_ask(sw_check_travel, SW_HEALTH_FAIL, "below /shared/p");
	kit_folder("shared/p", 03773);
	put_group(getegid());
	kit_ask(sw_check_profile_dir, SW_HEALTH_OK, "/shared/p, mode 3773");
	kit_ask(sw_check_travel, SW_HEALTH_OK, "below /shared/p");
	kit_remove(&SW_SETTINGS_PATH[1]);
	kit_link(PROFILES, "node");
	kit_ask(sw_check_profile_dir, SW_HEALTH_FAIL, "is not a folder");
}
END_TEST

#define UNIT "usr/lib/systemd/system/stepwell-recorder.service"
#define DROP_IN "etc/systemd/system/stepwell-recorder.service.d/local.conf"

START_TEST(unit)
{
	kit_ask(sw_check_unit, SW_HEALTH_OK, "no stepwell-recorder.service");
	make_node();
	/* The default may be below a home, depending on the build. */
	kit_put(UNIT, "[Service]\nProtectSystem=strict\n"
		"ReadWritePaths=-" SPOOLDIR " -/run/stepwell\n");
	kit_ask(sw_check_unit, SW_HEALTH_OK, "/profiles is writable");
	kit_put(UNIT, "[Service]\nProtectSystem=strict\nProtectHome=tmpfs\n"
		"ReadWritePaths=-" SPOOLDIR " -/run/stepwell\n");
	/* The settings name another folder. */
	kit_put(&SW_SETTINGS_PATH[1], "profile_dir: /shared/p\n");
	kit_ask(sw_check_unit, SW_HEALTH_FAIL, "profile_dir /shared/p");
	kit_put(DROP_IN, "[Service]\nReadWritePaths=-/shared/pool\n");
	kit_ask(sw_check_unit, SW_HEALTH_FAIL, "profile_dir /shared/p");
	kit_put(DROP_IN, "[Service]\nReadWritePaths=-/shared/p/\n");
	kit_ask(sw_check_unit, SW_HEALTH_OK, "/shared/p is writable");
	kit_put(DROP_IN, "[Service]\nReadWritePaths=/shared\n"
		"ReadWritePaths=\n");
	kit_ask(sw_check_unit, SW_HEALTH_FAIL, "profile_dir /shared/p");
	/* Below hidden folders more is required. */
	kit_put(&SW_SETTINGS_PATH[1], "profile_dir: /home/p\n");
	kit_put(DROP_IN, "[Service]\nReadWritePaths=/home/p\n");
	kit_ask(sw_check_unit, SW_HEALTH_FAIL, "profile_dir /home/p");
	kit_put(DROP_IN, "[Service]\nProtectHome=read-only\n"
		"ReadWritePaths=/home/p\n");
	kit_ask(sw_check_unit, SW_HEALTH_OK, "/home/p is writable");
	/* Not confined at all. */
	kit_put(UNIT, "[Service]\n");
	kit_remove(DROP_IN);
	kit_ask(sw_check_unit, SW_HEALTH_OK, "/home/p is writable");
}
END_TEST

static unsigned count_entries(const char *path)
{
	DIR *folder = opendir(kit_path(path));
	unsigned count = 0;

	ck_assert_ptr_nonnull(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

START_TEST(travel)
{
	kit_ask(sw_check_travel, SW_HEALTH_SKIP, "no slurmd");
	make_node();
	kit_ask(sw_check_travel, SW_HEALTH_OK, "read back");
	ck_assert_uint_eq(count_entries(SPOOL), 0);
	ck_assert_uint_eq(count_entries(PROFILES), 0);
	kit_mode(PROFILES, geteuid() == 0 ? 0700 : 0500);
	kit_ask(sw_check_travel, SW_HEALTH_FAIL, "Permission denied");
	kit_remove(PROFILES);
	kit_ask(sw_check_travel, SW_HEALTH_FAIL, "below " PROFILES);
	kit_remove(SPOOL);
	kit_ask(sw_check_travel, SW_HEALTH_FAIL, "to " SPOOL);
	kit.is_root = false;
	kit_ask(sw_check_travel, SW_HEALTH_SKIP, "only root");
}
END_TEST

int main(void)
{
	TCase *tests = kit_case("store");

	tcase_add_test(tests, recorder_answers);
	tcase_add_test(tests, recorder_beside_its_unit);
	tcase_add_test(tests, recorder_is_not_there);
	tcase_add_test(tests, recorder_is_silent);
	tcase_add_test(tests, recorder_elsewhere);
	tcase_add_test(tests, account);
	tcase_add_test(tests, settings);
	tcase_add_test(tests, spool);
	tcase_add_test(tests, spool_of_others);
	tcase_add_test(tests, profile_dir);
	tcase_add_test(tests, unit);
	tcase_add_test(tests, travel);
	return kit_run(tests);
}
