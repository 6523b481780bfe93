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
  /** Previous or future ones, which are also accepted. */
  jwtSecretOthers: string[];
  secretsKeyOthers: string[];
}

/**
 * The configured keys; missing ones are generated once and stored in DATA_DIR, readable only by this user.
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
  // Not named by pid: a container always has the same one, and a killed start may have left its file.
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
