import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config';

/** The keys that sign tokens and seal secrets. */
export interface Secrets {
  jwtSecret: string;
  secretsKey: string;
  /** Older or coming ones, which are accepted too. */
  jwtSecretOthers: string[];
  secretsKeyOthers: string[];
}

/**
 * The configured keys; those that are not configured are made once and kept in DATA_DIR, readable by this
 * user only.
 */
export function loadSecrets(config: Config): Secrets {
  const { dataDir, jwtSecret, jwtSecretOthers, secretsKey, secretsKeyOthers } = config;
  return {
    jwtSecretOthers,
    secretsKeyOthers,
    jwtSecret: jwtSecret ?? keep(dataDir, 'jwt-secret', () => randomBytes(48).toString('base64')),
    secretsKey: secretsKey ?? keep(dataDir, 'secrets-key', () => randomBytes(32).toString('base64')),
  };
}

function keep(folder: string, name: string, make: () => string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // Not named by the pid: in a container that is the same each time, and a killed start may have left its
  // file.
  const temporary = `${file}.${randomUUID()}`;
  const handle = openSync(temporary, 'wx', 0o600);
  writeSync(handle, make());
  fsyncSync(handle);
  closeSync(handle);
  try {
    // A link fails when another process was first, and is never half-written.
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
  return readFileSync(file, 'utf8').trim();
}
