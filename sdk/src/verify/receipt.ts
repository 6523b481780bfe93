import { judgeCheckpoint, judgeTrust, judgeWitnesses } from './head.js';
import { followKeys, type Job, type ListedKey, readListedKey } from './keyring.js';
import { type Kind, misfit, readObject, reportUnknown, unknownIn } from './lines.js';
import { PENDING, RECORD_MEMBERS, UNPROVEN, verifyRecord } from './record.js';
import { judgeRepeated } from './repeated.js';
import { Refusal } from './report.js';
import { isObject } from './statement.js';

const { kind: _, ...MEMBERS } = RECORD_MEMBERS;
const PROOF: Record<string, Kind> = {
  ...{ site: 'text', origin: 'text', ...MEMBERS },
  ...{ checkpoint: 'text', keys: 'list', 'witnesses?': 'list' },
};
const EVIDENCE = 'evidence';
/** What the API's answer has around a receipt. */
const ENVELOPE = ['status', 'message'];
/** Keys of a log that are read: it has one more with each rotation. */
const MOST_KEYS = 1000;

/** Verifies a visitor's receipt. @throws {Refusal} at what cannot be understood */
export async function verifyReceipt(job: Job, bytes: Uint8Array): Promise<void> {
  const { report } = job;
  report.found.kind = 'receipt';
  const receipt = parseReceipt(bytes);
  const evidence = receipt.evidence;
  if (!isObject(evidence)) throw new Refusal('without "evidence" it is no receipt of Avow', EVIDENCE);
  const { site, origin } = evidence;
  report.found.site = typeof site === 'string' ? site : undefined;
  if (evidence.pending === true) {
    report.found.records.pending = 1;
    return report.add('record', 'unknown', PENDING, EVIDENCE);
  }
  if (evidence.unproven === true) throw new Refusal(UNPROVEN, EVIDENCE, 'record');
  const wrong = misfit(evidence, PROOF);
  if (wrong !== undefined) throw new Refusal(wrong, EVIDENCE);
  report.found.origin = origin as string;
  report.add('file', true, 'a receipt with a proof', EVIDENCE);
  reportUnknown(report, unknownIn(evidence, PROOF), EVIDENCE);
  await verifyProof(job, receipt, evidence);
}

async function verifyProof(
  job: Job,
  receipt: Record<string, unknown>,
  evidence: Record<string, unknown>,
): Promise<void> {
  const { found } = job.report;
  const { site, origin } = evidence as { site: string; origin: string };
  if (!origin.endsWith(`/ledger/${site}`))
    throw new Refusal(`the log ${origin} is not that of the site ${site}`, `${EVIDENCE}.origin`);
  const log = await readKeys(job, evidence.keys as unknown[], origin);
  const where = `${EVIDENCE}.checkpoint`;
  const head = await judgeCheckpoint(job, log, evidence.checkpoint as string, where);
  found.size = head.size;
  judgeTrust(job, log, head, where);
  const listed = { witnesses: evidence.witnesses ?? [], isOlder: false };
  await judgeWitnesses(job, log, head, listed, `${EVIDENCE}.witnesses`);
  const { ok, what, statement } = await verifyRecord({ ...evidence, kind: 'consent' }, site, head, EVIDENCE);
  job.report.add('record', ok, what, EVIDENCE);
  const isSame = ok === true && judgeRepeated(job.report, receipt, statement?.record ?? {});
  if (!isSame) found.records.failed = 1;
  else if (head.signedBy !== undefined) found.records.proven = 1;
}

async function readKeys(job: Job, values: unknown[], origin: string) {
  const listed: ListedKey[] = [];
  for (const [index, value] of values.slice(0, MOST_KEYS).entries()) {
    const where = `${EVIDENCE}.keys[${index}]`;
    listed.push(await readListedKey(value as Record<string, unknown>, origin, where));
  }
  return { origin, keys: listed.map(({ key }) => key), ...(await followKeys(job, origin, listed)) };
}

/** The receipt, also as the API's answer holds it. */
export function parseReceipt(bytes: Uint8Array): Record<string, unknown> {
  const value = readObject(bytes, 'byte 0', withoutBlanks, 'it is no ZIP file and');
  if (!Object.hasOwn(value, 'data')) return value;
  // Of two receipts in one file, two readers could see two.
  const { data, ...around } = value;
  if (!isObject(data) || Object.keys(around).some((name) => !ENVELOPE.includes(name)))
    throw new Refusal('something stands beside "data"', 'byte 0');
  return data;
}

/** JSON without the blanks between its tokens. */
const withoutBlanks = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|[ \n\r\t]+/g, (part) => (part[0] === '"' ? part : ''));
