import { judgeCheckpoint, judgeSeen, judgeTrust, judgeWitnesses, refuseOther } from './head.js';
import { addKey, followKeys, type Job, KEY_MEMBERS, type ListedKey, type LogKeys } from './keyring.js';
import { demand, type Kind, readObject } from './lines.js';
import { PENDING, RECORD_MEMBERS, UNPROVEN, verifyRecord } from './record.js';
import { judgeRepeated } from './repeated.js';
import { refuse } from './report.js';
import { isObject } from './statement.js';

const { kind: _, ...MEMBERS } = RECORD_MEMBERS;
const PROOF: Record<string, Kind> = {
  ...{ site: 'text', origin: 'text', ...MEMBERS },
  ...{ checkpoint: 'text', keys: 'list', 'witnesses?': 'list' },
};
const EVIDENCE = 'evidence';
/** What the API's answer has around a receipt. */
const ENVELOPE = ['status', 'message'];

/** Verifies a visitor's receipt. @throws {Refusal} at what cannot be understood */
export async function verifyReceipt(job: Job, bytes: Uint8Array): Promise<void> {
  const { report } = job;
  report.found.kind = 'receipt';
  const receipt = parseReceipt(bytes);
  const evidence = receipt.evidence;
  if (!isObject(evidence)) refuse('it is no receipt: it has no "evidence"', EVIDENCE);
  const { site, origin } = evidence;
  report.found.site = typeof site === 'string' ? site : undefined;
  if (evidence.pending === true) {
    report.found.records.pending = 1;
    return report.add('record', 'unknown', PENDING, EVIDENCE);
  }
  if (evidence.unproven === true) refuse(UNPROVEN, EVIDENCE, 'record');
  demand(report, evidence, PROOF, EVIDENCE);
  report.found.origin = origin as string;
  report.add('file', true, 'a receipt with a proof', EVIDENCE);
  await verifyProof(job, receipt, evidence);
}

async function verifyProof(
  job: Job,
  receipt: Record<string, unknown>,
  evidence: Record<string, unknown>,
): Promise<void> {
  const { found } = job.report;
  const { site, origin } = evidence as { site: string; origin: string };
  refuseOther(origin, site, `${EVIDENCE}.origin`);
  const log = await readKeys(job, evidence.keys as unknown[], origin);
  const where = `${EVIDENCE}.checkpoint`;
  const head = await judgeCheckpoint(job, log, evidence.checkpoint as string, where);
  found.size = head.size;
  judgeTrust(job, log, head, where);
  const listed = evidence.witnesses ?? [];
  await judgeWitnesses(job, log, head, { listed, isContinued: true }, `${EVIDENCE}.witnesses`);
  judgeSeen(job, [evidence.leaf as number], head.size, where);
  const { ok, what, statement } = await verifyRecord({ ...evidence, kind: 'consent' }, site, head, EVIDENCE);
  job.report.add('record', ok, what, EVIDENCE);
  const isSame = ok === true && judgeRepeated(job.report, receipt, statement?.record ?? {});
  if (!isSame) found.records.failed = 1;
  else if (head.signedBy !== undefined) found.records.proven = 1;
}

async function readKeys(job: Job, values: unknown[], origin: string): Promise<LogKeys> {
  const listed: ListedKey[] = [];
  for (const [index, value] of values.entries()) {
    const where = `${EVIDENCE}.keys[${index}]`;
    demand(job.report, value, KEY_MEMBERS, where, 'keys');
    await addKey(listed, value as Record<string, unknown>, origin, where);
  }
  return followKeys(job, origin, listed);
}

/** The receipt, also as the API's answer holds it. */
export function parseReceipt(bytes: Uint8Array): Record<string, unknown> {
  const value = readObject(bytes, 'byte 0', withoutBlanks, 'it is no ZIP file and');
  if (!Object.hasOwn(value, 'data')) return value;
  // Of two receipts in one file, two readers could see two.
  const { data, ...around } = value;
  if (!isObject(data) || Object.keys(around).some((name) => !ENVELOPE.includes(name)))
    refuse('something stands beside "data"', 'byte 0');
  return data;
}

/** JSON without the blanks between its tokens. */
const withoutBlanks = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|[ \n\r\t]+/g, (part) => (part[0] === '"' ? part : ''));
