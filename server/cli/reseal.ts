import { parseArgs } from 'node:util';
import { readConfig } from '../src/config';
import { loadSecrets } from '../src/security/secrets';
import { Vault } from '../src/security/vault';
import { reseal } from '../src/services/reseal';
import { type Command, say } from './command';
import { withMigratedDatabase } from './database';

const USAGE = `npm run reseal   seals every stored secret with SECRETS_KEY that a key of SECRETS_KEY_OTHERS has sealed
Run it with the variables of the server; it may run beside the server, and again.`;

/** What the tables hold, in words. */
const NAMES: Record<string, string> = {
  webhooks: "webhooks' secrets and headers",
  idempotency_keys: 'kept answers of idempotency keys',
};

async function run(args: string[]): Promise<void> {
  parseArgs({ args });
  const config = readConfig();
  const { secretsKey, secretsKeyOthers } = loadSecrets(config);
  const vault = new Vault(secretsKey, secretsKeyOthers);
  const results = await withMigratedDatabase(config, ({ db }) => reseal(db, vault));
  for (const { table, changed } of results) say(`${NAMES[table]}: ${changed} sealed anew`);
  const lost = results.reduce((sum, one) => sum + one.lost, 0);
  if (lost > 0) {
    throw new Error(
      `${lost} of them are opened by no key: add the key that sealed them to SECRETS_KEY_OTHERS, then run this again.`,
    );
  }
  say('Every secret is sealed with SECRETS_KEY: the keys of SECRETS_KEY_OTHERS are needed no more.');
}

export const resealCommand: Command = { usage: USAGE, run };
