import { textOf } from './bytes.js';
import { judgeCheckpoint, judgeTrust, judgeWitnesses } from './head.js';
import { followKeys, type Job, type ListedKey, readListedKey } from './keyring.js';
import { type Kind, misfit } from './lines.js';
import { RECORD_MEMBERS, verifyRecord } from './record.js';
import { Refusal } from './report.js';
import { isObject } from './statement.js';

const { kind: _, ...MEMBERS } = RECORD_MEMBERS;
const PROOF: Record<string, Kind> = { ...MEMBERS, checkpoint: 'text', keys: 'list', 'witnesses?': 'list' };
const EVIDENCE = 'evidence';
/** Keys of a log that are read: it has one more with each rotation. */
const MOST_KEYS = 1000;

/** Verifies a visitor's receipt. @throws {Refusal} at what cannot be understood */
export async function verifyReceipt(job: Job, bytes: Uint8Array): Promise<void> {
  const { report } = job;
  report.found.kind = 'receipt';
  const receipt = parse(bytes);
  const evidence = receipt.evidence;
  if (!isObject(evidence))
    throw new Refusal('the file is JSON without "evidence": it is no receipt of Avow', EVIDENCE);
  const { site, origin } = evidence;
  report.found.site = typeof site === 'string' ? site : undefined;
  if (evidence.pending === true) {
    report.found.records.pending = 1;
    const what =
      'the record is not sealed yet, so that nothing proves it: save the receipt again in a minute';
    report.add('record', 'unknown', what, EVIDENCE);
    return;
  }
  const wrong = misfit(evidence, { site: 'text', origin: 'text', ...PROOF });
  if (wrong !== undefined) throw new Refusal(wrong, EVIDENCE);
  report.found.origin = origin as string;
  report.add('file', true, 'a receipt with a proof', EVIDENCE);
  await verifyProof(job, evidence, site as string, origin as string);
}

async function verifyProof(
  job: Job,
  evidence: Record<string, unknown>,
  site: string,
  origin: string,
): Promise<void> {
  const { found } = job.report;
  if (!origin.endsWith(`/ledger/${site}`))
    throw new Refusal(`the log ${origin} is not that of the site ${site}`, `${EVIDENCE}.origin`);
  const log = await readKeys(job, evidence.keys as unknown[], origin);
  const where = `${EVIDENCE}.checkpoint`;
  const head = await judgeCheckpoint(job, log, evidence.checkpoint as string, where);
  found.size = head.size;
  judgeTrust(job, log, head, where);
  const listed = { witnesses: evidence.witnesses ?? [], isOlder: false };
  await judgeWitnesses(job, log, head, listed, `${EVIDENCE}.witnesses`);
  const { ok, what } = await verifyRecord({ kind: 'consent', ...evidence }, site, head, EVIDENCE);
  job.report.add('record', ok, what, EVIDENCE);
  if (ok === false) found.records.failed = 1;
  else if (head.signedBy !== undefined) found.records.proven = 1;
  const rest =
    'proven is what the statement says; the other parts of the receipt repeat it for people and programs';
  if (ok === true) job.report.add('record', true, rest, `${EVIDENCE}.statement`);
}

async function readKeys(job: Job, values: unknown[], origin: string) {
  const listed: ListedKey[] = [];
  for (const [index, value] of values.slice(0, MOST_KEYS).entries()) {
    const where = `${EVIDENCE}.keys[${index}]`;
    if (!isObject(value)) throw new Refusal('a key must be an object', where, 'keys');
    listed.push(await readListedKey(value, origin, where));
  }
  const reached = await followKeys(job, origin, listed);
  return { origin, keys: listed.map(({ key }) => key), reached };
}

/** The receipt, also as the API's answer holds it. */
function parse(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  let text = '';
  try {
    text = textOf(bytes);
    value = JSON.parse(text);
  } catch {}
  if (!isObject(value))
    throw new Refusal('the file is neither a ZIP file nor a JSON object in UTF-8', 'byte 0');
  // Of a member that stands twice, two readers could see two.
  const compact = withoutBlanks(text);
  if (compact !== JSON.stringify(value))
    throw new Refusal(
      'the JSON is not written as JSON.stringify does, but for blanks: an escape, or a member twice',
      'byte 0',
    );
  return isObject(value.data) ? value.data : value;
}

/** JSON without the blanks between its tokens. */
function withoutBlanks(json: string): string {
  let compact = '';
  let from = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (isText && sign === '\\') at += 1;
    else if (sign === '"') isText = !isText;
    else if (!isText && (sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t')) {
      compact += json.slice(from, at);
      from = at + 1;
    }
  }
  return compact + json.slice(from);
}
