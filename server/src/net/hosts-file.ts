import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** The hosts file of the machine. */
export const HOSTS_FILE =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

type Names = Map<string, string[]>;
const NONE: Names = new Map();

/** Looks names up in a hosts file, which is read again whenever it changes. */
export function hostsFile(path: string): (name: string) => Promise<string[]> {
  let known = { stamp: '', names: NONE };
  return async (name) => {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      if (stamp !== known.stamp) known = { stamp, names: readHosts(await readFile(path, 'utf8')) };
    } catch {
      // Minimal containers may have none.
      known = { stamp: '', names: NONE };
    }
    return known.names.get(name) ?? [];
  };
}

/** Each line is an address and its names; `#` begins a comment (hosts(5)). */
function readHosts(text: string): Names {
  const names: Names = new Map();
  for (const line of text.split('\n')) {
    const [address = '', ...hosts] = (line.split('#', 1)[0] as string).trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const host of hosts) {
      const name = host.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), address]);
    }
  }
  return names;
}
