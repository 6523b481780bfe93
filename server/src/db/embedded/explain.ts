const DISK_FULL = /No space left on device|ENOSPC|Check free disk space|Disk quota exceeded|EDQUOT/;

/** Says what to do about failures that an operator can fix. */
export function explain(error: unknown, dataDir: string): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  const { code, syscall = '', path: file } = known as NodeJS.ErrnoException;
  const say = (advice: string) => new Error(advice, { cause: known });
  if (DISK_FULL.test(known.message)) {
    return say(
      `The disk of DATA_DIR ${dataDir} is full: free some space, or set DATA_DIR to another disk. ${known.message}`,
    );
  }
  const [, nameless] = /could not look up effective user ID (\d+)/.exec(known.message) ?? [];
  if (nameless) {
    return say(
      `PostgreSQL can't make its cluster as user ${nameless}, who has no line in /etc/passwd: add one ` +
        `("avow:x:${nameless}:${nameless}::/:/usr/sbin/nologin"), run Avow as a user who has, or set DATABASE_URL.`,
    );
  }
  if (code === 'EROFS') {
    return say(
      `DATA_DIR ${dataDir} is on a read-only file system: set DATA_DIR to a folder that can be written.`,
    );
  }
  // A confined root may not switch users or change the owner of files.
  if (process.getuid?.() === 0 && (code === 'EPERM' || (code === 'EINVAL' && syscall.startsWith('spawn')))) {
    return say(
      `PostgreSQL refuses to run as root, and this root may not run it as another user: start Avow as an ` +
        `ordinary user, allow the capabilities SETUID, SETGID, CHOWN, FOWNER and DAC_OVERRIDE, or set DATABASE_URL. ` +
        known.message,
    );
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return say(
      `User ${process.getuid?.()} may not use ${file ?? 'what PostgreSQL needs'}: make it belong to this user, ` +
        `set DATA_DIR (now ${dataDir}) to another folder, or set DATABASE_URL. ${known.message}`,
    );
  }
  return known;
}
