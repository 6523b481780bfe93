import type { Setup } from './types';

const DEFAULTS: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // Failed statements come back to Avow; in the log they would fill it, with people's data.
  log_min_messages: 'log',
  // Lets go of the locks of a client that was killed in the middle of a long statement.
  ...(process.platform === 'linux' ? { client_connection_check_interval: '10s' } : {}),
};

/** The server's settings as arguments. Where it listens is ours to say: only this machine may connect. */
export function serverArguments({ settings }: Pick<Setup, 'settings'>, port: number): string[] {
  const fixed = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' };
  return Object.entries({ ...DEFAULTS, ...settings, ...fixed }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}
