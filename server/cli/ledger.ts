import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { type Config, readConfig } from '../src/config';
import { headsAfter } from '../src/db/ledger/heads';
import { bytesOf, vkeyOf } from '../src/domain/ledger/note';
import { currentKey, rotateKey } from '../src/ledger/keys';
import { viewKeys } from '../src/ledger/view';
import { loadSecrets } from '../src/security/secrets';
import { Vault } from '../src/security/vault';
import { auditCommand } from '../src/services/audit';
import { type Command, say, UsageError } from './command';
import { withMigratedDatabase } from './database';

const USAGE = `npm run ledger -- keys [TOKEN]   prints the verifier key of each site's evidence log, for witnesses; of one site, all keys that it had
npm run ledger -- rotate-key     makes a new key; each log's old key endorses it when the log is next sealed, within a minute
Run it with the variables of the server; it may run beside the server. Hand the new keys to your witnesses: until they
know them they sign nothing.`;

/** Sites that are read at once. */
const MANY = 500;

async function run(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [action, token, ...rest] = positionals;
  const isOne = rest.length === 0 && (action === 'keys' || (action === 'rotate-key' && token === undefined));
  if (!isOne) throw new UsageError('Say keys, keys and the token of one site, or rotate-key.');
  const config = readConfig();
  await withMigratedDatabase(config, async ({ db }) => {
    if (action === 'rotate-key') return rotate(config, db);
    return token === undefined ? printAll(config, db) : printOne(db, token);
  });
}

/** Verifier keys alone on standard output, one a line, as a witness takes them. */
async function printAll(config: Config, db: Knex): Promise<void> {
  const { publicKey } = await signing(config, db);
  if (config.publicUrl !== undefined) {
    say(
      '# all logs of this server, for npm run witness alone; others, and npm run verify, want the line of a log',
    );
    say(vkeyOf(`${new URL(config.publicUrl).host}/ledger/*`, publicKey));
  }
  for (let after: string | null = null; ; ) {
    const heads = await headsAfter(db, after, MANY);
    for (const { origin } of heads) say(vkeyOf(origin, publicKey));
    after = heads.at(-1)?.environment_id ?? null;
    if (heads.length < MANY) return;
  }
}

async function printOne(db: Knex, token: string): Promise<void> {
  const site: { id: string } | undefined = await db('environments')
    .where({ token })
    .whereNull('deleted_at')
    .first('id');
  if (site === undefined)
    throw new Error(`There is no site ${token}: take the token from its page in the console.`);
  const keys = await viewKeys(db, site.id);
  if (keys.length === 0) say('# nothing of this site is sealed yet');
  for (const { vkey, from, until } of keys) {
    say(`# ${from} to ${until ?? 'now'}`);
    say(vkey);
  }
}

async function rotate(config: Config, db: Knex): Promise<void> {
  const vault = vaultOf(config);
  // There must be one that can endorse the next.
  await currentKey(db, vault);
  await db.transaction(async (trx) => {
    await auditCommand(trx, 'ledger rotate-key');
    await rotateKey(trx, vault);
  });
  say('# the new keys; running servers sign with them within a minute');
  await printAll(config, db);
}

const vaultOf = (config: Config): Vault => {
  const { secretsKey, secretsKeyOthers } = loadSecrets(config);
  return new Vault(secretsKey, secretsKeyOthers);
};

async function signing(config: Config, db: Knex): Promise<{ publicKey: Buffer }> {
  const { key } = await currentKey(db, vaultOf(config));
  return { publicKey: bytesOf(key) };
}

export const ledger: Command = { usage: USAGE, run };
