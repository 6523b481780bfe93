import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Config } from '../../src/config';
import { Vault } from '../../src/security/vault';
import { readCanary } from '../../src/services/canary';
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

/** Whether SECRETS_KEY opens what the database holds sealed: the canary, and the secret of the latest webhook. */
export async function checkSealed(config: Config, db: Knex): Promise<Finding[]> {
  const canary = (await db.schema.hasTable('canaries')) ? await readCanary(db) : undefined;
  const row = await db('webhooks').orderBy('created_at', 'desc').first('secret');
  if (row === undefined && canary === undefined) return [];
  const advice =
    'restore the key that was in use when the webhooks were made; without it each needs a new secret (rotateWebhookSecret)';
  const key = config.secretsKey ?? keptKey(config.dataDir);
  if (key === undefined)
    return [broken('SECRETS_KEY: there is none, and the database holds secrets', advice)];
  try {
    const vault = new Vault(key, config.secretsKeyOthers);
    if (canary !== undefined && !vault.opens(canary)) {
      return [broken('SECRETS_KEY: is not the key of this database, and the server does not start', advice)];
    }
    if (row === undefined) return [fine('SECRETS_KEY: is the key of this database')];
    if (vault.isCurrent(row.secret)) return [fine("SECRETS_KEY: opens the webhooks' secrets")];
    return [
      warning(
        "SECRETS_KEY: a key of SECRETS_KEY_OTHERS opens the webhooks' secrets",
        'run npm run reseal before you remove that key',
      ),
    ];
  } catch {
    return [broken("SECRETS_KEY: does not open the webhooks' secrets", advice)];
  }
}

function keptKey(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, 'secrets-key'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

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
