import { parseArgs } from 'node:util';
import { readConfig } from '../src/config';
import { loadSecrets } from '../src/security/secrets';
import { Vault } from '../src/security/vault';
import { auditCommand } from '../src/services/audit';
import { reseal } from '../src/services/reseal';
import { type Command, say } from './command';
import { withMigratedDatabase } from './database';

const USAGE = `npm run reseal             seals every stored secret with SECRETS_KEY that a key of SECRETS_KEY_OTHERS has sealed
                           or an earlier build, which did not tie it to its place
npm run reseal -- --lost   the same when a key is lost for good: the server starts with SECRETS_KEY again, each webhook needs a new
                           secret, all API keys end, sessions get other fingerprints, and evidence logs a new key; you vouch
                           for what waits to be sealed there
Run it with the variables of the server; it may run beside the server, and again.`;

/** What the tables hold, in words. */
const NAMES: Record<string, string> = {
  webhooks: "webhooks' secrets and headers",
  idempotency_keys: 'kept answers of idempotency keys',
  server_secrets: 'the secrets of API keys, of the fingerprints of sessions, and of what waits to be sealed',
  ledger_pending: 'what evidence logs had with a code that no server made, which you vouch for',
  ledger_keys: 'keys of the evidence logs',
};

async function run(args: string[]): Promise<void> {
  const { lost: isLost } = parseArgs({ args, options: { lost: { type: 'boolean', default: false } } }).values;
  const config = readConfig();
  const { secretsKey, secretsKeyOthers } = loadSecrets(config);
  const vault = new Vault(secretsKey, secretsKeyOthers);
  const results = await withMigratedDatabase(config, async ({ db }) => {
    // Before the work, which is done in many transactions and may be broken off.
    await auditCommand(db, 'reseal');
    return reseal(db, vault, isLost);
  });
  for (const { table, changed } of results) {
    if (NAMES[table] !== undefined) say(`${NAMES[table]}: ${changed} sealed anew`);
  }
  const lost = results.reduce((sum, one) => sum + one.lost, 0);
  if (lost === 0) {
    say('Every secret is sealed with SECRETS_KEY: the keys of SECRETS_KEY_OTHERS are needed no more.');
  } else if (isLost) {
    say('What a lost key had sealed stays closed: change the secret of each webhook (rotateWebhookSecret).');
    if (results.some((one) => one.table === 'server_secrets' && one.lost > 0))
      say(
        'All API keys have ended: their makers make new ones. Sessions have other fingerprints from now on. Restart all servers.',
      );
  } else {
    throw new Error(
      `${lost} of them are opened by no key: add the key that sealed them to SECRETS_KEY_OTHERS, then run this again. If it is lost for good: npm run reseal -- --lost.`,
    );
  }
}

export const resealCommand: Command = { usage: USAGE, run };
