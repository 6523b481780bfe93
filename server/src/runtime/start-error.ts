import { type Config, ConfigError } from '../config';
import { isUnavailable } from '../db/errors';

interface SystemError extends Error {
  code?: string;
  syscall?: string;
  /** What a look-up of a name was for. */
  hostname?: string;
}

/** Says what to set or start for start failures that an operator can fix. Never reveals a secret. */
export function explainStart(thrown: unknown, { host, port, databaseUrl }: Config): Error {
  const error: SystemError = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error instanceof ConfigError) return error;
  const { code = '', syscall = '', hostname } = error;
  const say = (text: string): Error => new Error(text, { cause: error });
  if (code === 'EADDRINUSE') {
    return say(`PORT ${port} on ${host} is in use: stop the program that uses it, or set PORT to another.`);
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return say(`PORT ${port} is reserved for the system's administrator: set PORT to 1024 or more.`);
  }
  if (code === 'EADDRNOTAVAIL' || hostname === host) {
    return say(`HOST ${host} is no address of this machine: set it to one, or to 0.0.0.0 for all.`);
  }
  if (databaseUrl === undefined) return error;
  if (code === '28P01' || code === '28000') {
    return say('The database refuses the login: check the user and the password in DATABASE_URL.');
  }
  if (code === '3D000') return say('The database does not exist: create it, or correct DATABASE_URL.');
  if (isUnavailable(error)) {
    return say(
      `The database cannot be reached (${code || error.message}): check that it runs and that DATABASE_URL is right.`,
    );
  }
  return new Error(error.message || String(error), { cause: error });
}
