import { createHash, randomBytes } from 'node:crypto';
import { checkpointText, Signer } from './signer';
import { timeStampResponse } from './time-stamp';
import { consistencyOf, inclusionOf, rootOf } from './tree';
import { writeZip, type ZipFile } from './zip';

export const SITE = 'env_0123456789abcdefghijAB';
export const ORIGIN = `consent.example.com/ledger/${SITE}`;
/** 2026-03-04T05:06:07Z */
export const COSIGNED = 1772600767;

type Json = Record<string, unknown>;

/** A line of `evidence.ndjson`, open to be changed. */
// biome-ignore lint/suspicious/noExplicitAny: tests change whatever they like
export type Line = Record<string, any>;

/** A pack before it is written: tests change its parts. */
export interface MadePack {
  lines: Line[];
  files: ZipFile[];
  /** The key that signs, and the one that endorsed it. */
  keys: { old: Signer; present: Signer; witness: Signer };
  /** Each leaf of the tree. */
  entries: Buffer[];
}

/** A value in its canonical form (RFC 8785), for values whose texts need no thought. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)}}`;
}

export const hash = (algorithm: string, content: Uint8Array | string): Buffer =>
  createHash(algorithm).update(content).digest();

export const sealed = (blinding: Buffer, statement: string): Buffer =>
  hash('sha256', Buffer.concat([blinding, Buffer.from(statement)]));

const TEXTS = Buffer.from(canonical({ en: { title: 'Cookies?' } }));
const SCRIPT = Buffer.from('/*! Avow */\n(()=>{console.log("banner")})();\n');
export const BUNDLE = 'AAAABBBBCCCCDDDDEEEEFFFF';
const AT = '2026-03-04T05:00:00.000Z';

/** What the pack is about: a consent, and everything that it names. */
export const RECORDS: [kind: string, record: Json][] = [
  [
    'consent',
    {
      consent_id: '0197a0b0-0000-7000-8000-000000000001',
      session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11',
      decision: 'accept_all',
      categories: { analytics: true, marketing: false },
      policy_version: '1',
      banner_version: 3,
      bundle_hash: BUNDLE,
      language: 'de',
      page_url: 'https://shop.example/körbe?q="1"',
      recorded_at: AT,
      ...{ expires_at: '2026-09-04T05:00:00.000Z', method: 'banner', gpc: false },
    },
  ],
  ['settings', { version: 3, settings: { name: 'Shop – Größe', ratio: 0.5 }, created_at: AT }],
  [
    'bundle',
    {
      hash: BUNDLE,
      integrity: `sha384-${hash('sha384', SCRIPT).toString('base64')}`,
      bytes: SCRIPT.length,
      files: { 'texts.json': hash('sha256', TEXTS).toString('hex') },
      settings_version: 3,
      vendor_list_version: 2,
      created_at: AT,
    },
  ],
  ['vendors', { version: 2, vendors: [{ id: 1, name: 'Ads & Co' }], created_at: AT }],
];

/**
 * Makes a pack whose every part holds.
 * @param records with other members of their statements, if any
 * @param others leaves of other records
 * @param isListed whether they were sealed as they are listed; otherwise what records name is sealed before them
 */
export function makePack(
  records: readonly [kind: string, record: Json, more?: Json][] = RECORDS,
  others = 9,
  isListed = false,
): MadePack {
  const [old, present] = [new Signer(ORIGIN), new Signer(ORIGIN)];
  const witness = new Signer('witness.example.net/w1', 4);
  const statements = records.map(([kind, record, more]) =>
    canonical({ avow: 1, kind, record, site: SITE, ...more }),
  );
  const blindings = statements.map(() => randomBytes(16));
  // Ours lie apart, among those of others.
  const entries: Buffer[] = Array.from({ length: others }, () => randomBytes(32));
  const rank = (index: number): number =>
    isListed ? index : ['bundle', 'consent'].indexOf(records[index]?.[0] as string);
  const order = [...records.keys()].sort((one, other) => rank(one) - rank(other));
  const leaves: number[] = [];
  for (const [place, index] of order.entries()) {
    const leaf = Math.min(place * 3, entries.length);
    entries.splice(leaf, 0, sealed(blindings[index] as Buffer, statements[index] as string));
    leaves[index] = leaf;
  }
  const text = checkpointText(ORIGIN, entries.length, rootOf(entries));
  const stamp = `timestamps/${entries.length}-1.tsr`;
  const older = entries.slice(0, 5);
  const olderText = checkpointText(ORIGIN, older.length, rootOf(older));
  const all: ZipFile[] = [
    { name: 'statement.html', content: Buffer.from('<!doctype html><title>Statement</title>') },
    { name: `bundles/${BUNDLE}.js`, content: SCRIPT },
    { name: stamp, content: timeStampResponse(hash('sha256', text), '20260304050607.25Z') },
    { name: `bundles/${BUNDLE}.texts.json`, content: TEXTS },
    { name: 'README.txt', content: Buffer.from('How to verify this file.\n'), method: 0 },
  ];
  // The files of a banner go with the record of it.
  const hasBanner = records.some(([kind]) => kind === 'bundle');
  const files = all.filter(({ name }) => hasBanner || !name.startsWith('bundles/'));
  const lines: Line[] = [
    {
      ...{ type: 'pack', version: 1, site: SITE, origin: ORIGIN, made_at: AT },
      ...{ subject: { consent_id: '0197a0b0-0000-7000-8000-000000000001' } },
      imported_on: records.map(([, , more]) => more?.imported_on).find((one) => one) ?? null,
    },
    { type: 'key', vkey: old.vkey, from: AT, until: AT, successor_signature: old.endorse(present) },
    { type: 'key', vkey: present.vkey, from: AT, until: null, successor_signature: null },
    {
      type: 'checkpoint',
      note: `${text}\n${present.line(text)}${witness.cosignature(text, COSIGNED)}`,
      witnesses: [{ name: witness.name, vkey: witness.vkey }],
      timestamps: [
        {
          authority: 'https://tsa.example',
          file: stamp,
          genTime: '2026-03-04T05:06:07.250Z',
        },
      ],
    },
    {
      type: 'checkpoint',
      note: `${olderText}\n${old.line(olderText)}`,
      ...{ witnesses: [], timestamps: [] },
      consistency: consistencyOf(older.length, entries).map(base64),
    },
    ...statements.map((statement, index) => ({
      ...{
        type: 'record',
        kind: records[index]?.[0],
        statement,
        blinding: base64(blindings[index] as Buffer),
      },
      leaf: leaves[index],
      proof: inclusionOf(leaves[index] as number, entries).map(base64),
    })),
    ...files.map(({ name, content }) => ({
      type: 'file',
      path: name,
      sha256: hash('sha256', content).toString('hex'),
    })),
    { type: 'end', records: records.length },
  ];
  return { lines, files, keys: { old, present, witness }, entries };
}

export const base64 = (bytes: Buffer): string => bytes.toString('base64');

/** The text of `evidence.ndjson`. */
export const ndjson = (lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** The pack as a file. */
export const zipOf = ({ lines, files }: Pick<MadePack, 'lines' | 'files'>): Buffer =>
  writeZip([{ name: 'evidence.ndjson', content: Buffer.from(ndjson(lines)), follows: true }, ...files]);

/** A line of a pack by its type. */
export const lineOf = ({ lines }: MadePack, type: string, index = 0): Line =>
  lines.filter((line) => line.type === type)[index] as Line;

/** A visitor's receipt with the proof of the pack's first record, as the server writes one. */
export function receiptOf(pack: MadePack): Line {
  const { statement, blinding, leaf, proof } = lineOf(pack, 'record');
  const { note, witnesses } = lineOf(pack, 'checkpoint');
  const keys = pack.lines.filter(({ type }) => type === 'key').map(({ type: _, ...key }) => key);
  const { record } = JSON.parse(statement);
  const { consent_id, session_id, decision, method, gpc, policy_version, language, page_url } = record;
  const { region, rule, vendors = {} } = record;
  const purposes = Object.entries(record.categories).map(([key, choice]) => {
    const words = { name: key, description: `About ${key}` };
    return { key, ...words, required: false, consent: choice ? 'given' : 'refused' };
  });
  return {
    ...{ '@context': { dpv: 'https://w3id.org/dpv#' }, '@type': 'ConsentReceipt' },
    ...{ receipt_id: consent_id, issued_at: AT, consent_id, session_id },
    ...{ decided_at: record.recorded_at, valid_until: record.expires_at },
    ...{ decision, method, gpc, policy_version, status: 'given' },
    controller: { name: 'Shop Ltd', email: 'privacy@example.com' },
    ...(region && { region }),
    ...(rule && { rule }),
    lawful_basis: (rule ?? 'opt_in') === 'opt_in' ? 'consent' : null,
    purposes: [
      ...purposes,
      { key: 'login', name: 'Log-in', description: 'Keeps you in', required: true, consent: null },
    ],
    recipients: [
      ...Object.entries(vendors).map(([id, choice]) => ({
        ...{ id: Number(id), name: `Vendor ${id}`, categories: ['analytics'], privacy_policy_url: null },
        ...{ country: 'FR', consent: choice ? 'given' : 'refused' },
      })),
      { name: 'Ads & Co', categories: ['analytics'], privacy_policy_url: null, country: 'FR' },
    ],
    notice: {
      ...{ language, title: 'Cookies?', description: 'We ask.', privacy_policy_url: null },
      ...{ imprint_url: null, page_url, bundle_url: null },
    },
    withdrawal: 'Open the settings',
    retention_days: 1095,
    evidence: {
      ...{ site: SITE, origin: ORIGIN, statement, blinding, leaf, proof },
      ...{ checkpoint: note, witnesses, keys, pending: false },
    },
  };
}
