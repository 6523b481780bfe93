import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../server/src/config';
import { broken, type Check, type Finding, fine, warning } from './finding';

/** Whether the keys are there, readable for us and for nobody else. Their contents are never shown. */
export const checkSecrets: Check = async (config) => [
  secret(config, 'JWT_SECRET', config.jwtSecret, 'jwt-secret', (text) => text.length >= 32),
  secret(
    config,
    'SECRETS_KEY',
    config.secretsKey,
    'secrets-key',
    (text) => Buffer.from(text, 'base64').length === 32,
  ),
];

function secret(
  { dataDir }: Config,
  variable: string,
  configured: string | undefined,
  name: string,
  isGood: (text: string) => boolean,
): Finding {
  const given = process.env[`${variable}_FILE`];
  const file = configured === undefined ? join(dataDir, name) : given;
  if (file === undefined || file === '') return fine(`${variable}: set in the environment`);
  try {
    const { mode } = statSync(file);
    const text = readFileSync(file, 'utf8').trim();
    if (!isGood(text)) {
      return broken(
        `${variable}: ${file} holds no valid key`,
        'restore it from a backup, or set the variable',
      );
    }
    if ((mode & 0o077) !== 0) {
      const shown = (mode & 0o777).toString(8);
      // A mounted secret often cannot have another mode, one in DATA_DIR can.
      const say = configured === undefined ? broken : warning;
      return say(`${variable}: ${file} can be used by others (mode ${shown})`, `run chmod 600 ${file}`);
    }
    return fine(`${variable}: in ${file}, readable by this user only`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return fine(`${variable}: not made yet, the first start makes it in ${dataDir}`);
    return broken(
      `${variable}: ${file} cannot be read (${code})`,
      'give it to the user that the server runs as',
    );
  }
}
