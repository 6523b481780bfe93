import { verify } from 'node:crypto';
import { bytesOf, publicKeyOf, readCheckpoint, successionText } from '../../domain/ledger/note';
import { openNote } from '../../domain/ledger/open-note';
import type { Vault } from '../../security/vault';
import { allKeys, idOf, type KeyRow, signingKey } from '../keys';
import { keysOfLog } from '../succession';
import type { Audited } from './audited-site';

/** The public keys of a log, after their chain and the head's signature were checked. */
export async function judgeKeys(about: Audited, vault: Vault | undefined): Promise<Buffer[]> {
  const { trx, head, findings } = about;
  if (head === undefined) return [];
  const known = await allKeys(trx);
  const chain = await keysOfLog(trx, head);
  const present = known.get(head.key_id);
  const named = new Set<string>();
  for (const [n, { key_id, until, signature }] of chain.entries()) {
    if (named.has(key_id)) findings.add('key', `ledger_successions: key ${key_id} comes twice`);
    named.add(key_id);
    const [key, next] = [known.get(key_id), known.get(chain[n + 1]?.key_id ?? '')];
    if (key === undefined || idOf(key.public_key) !== key_id) {
      findings.add('key', `ledger_keys: key ${key_id} is gone, or is another one`);
      continue;
    }
    if (until !== null) judgeSuccession(about, key, { next, signature });
  }
  await judgeLinks(about, chain);
  if (present !== undefined) await judgePresent(about, present, vault);
  return [...named].flatMap((id) => known.get(id)?.public_key ?? []);
}

function judgeSuccession(
  { head, findings }: Audited,
  key: KeyRow,
  { next, signature }: { next: KeyRow | undefined; signature: Buffer | null },
): void {
  if (signature === null) {
    findings.note(`Key ${key.key_id} endorsed no successor: true when SECRETS_KEY was lost and replaced.`);
    return;
  }
  const text = Buffer.from(successionText(head?.origin ?? '', next?.public_key ?? Buffer.alloc(32)));
  if (!verify(null, text, publicKeyOf(key.public_key), signature))
    findings.add('key', `ledger_successions: key ${key.key_id} did not endorse the key after it`);
}

/** Each row names the key of the next one; the last one the key that signs now. */
async function judgeLinks({ trx, site, findings }: Audited, chain: { key_id: string }[]): Promise<void> {
  const rows: { key_id: string; successor_id: string }[] = await trx('ledger_successions')
    .where({ environment_id: site.id })
    .orderBy('at');
  rows.forEach(({ key_id, successor_id }, n) => {
    if (successor_id !== chain[n + 1]?.key_id)
      findings.add(
        'key',
        `ledger_successions: key ${key_id} names another successor than the one that followed`,
      );
  });
}

async function judgePresent(
  about: Audited,
  { key_id, public_key }: KeyRow,
  vault: Vault | undefined,
): Promise<void> {
  const { trx, head, findings } = about;
  if (head === undefined) return;
  const read = readCheckpoint(head.note, head.origin, public_key);
  const isNote = openNote(head.note) !== undefined;
  if (!isNote || read === undefined || read.size !== head.size || !read.root.equals(head.root))
    findings.add(
      'head',
      'ledger_heads: the checkpoint is not signed by the key of the log, or is of another tree',
    );
  if (vault === undefined) return;
  const own = await signingKey(trx, vault, key_id);
  if (own === undefined || !bytesOf(own.key).equals(public_key))
    findings.add('key', `ledger_keys: key ${key_id} signs this log, and is none that SECRETS_KEY opens`);
}
