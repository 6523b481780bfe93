import { buffer as bufferOf } from 'node:stream/consumers';
import { Splitter } from '@zone-eu/mailsplit';

/** What a mail server reports of a mail that it could not deliver (RFC 3464). */
export interface BounceReport {
  mailId: string;
  /** What only whoever had the mail knows of it. */
  mark: string;
  /** The enhanced status code (RFC 3463), such as `5.1.1`; undefined when there is none. */
  status: string | undefined;
}

/** Bounds of a report; what has more is none. */
const LIMITS = { maxHeadSize: 64 * 1024, maxChildNodes: 20, ignoreEmbedded: true };
const LINES = 200;

const DELIVERY = /^message\/(global-)?delivery-status$/;
/** What a report gives back of the mail: all of it, or its headers. */
const HEADERS = /^(text\/rfc822-headers|message\/(global|global-headers|rfc822))$/;
const MAIL_ID =
  /^<?([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\.([0-9a-f]{32})(@[^\s@]{1,255})?>?$/i;
const FAILED = /^failed\b/i;
const CODE = /^([45]\.\d{1,3}\.\d{1,3})\b/;

/**
 * Reads the beginning of a message. Undefined unless it reports that a mail of ours failed for good: delays, deliveries
 * and messages of people are none.
 */
export async function readReport(source: Buffer): Promise<BounceReport | undefined> {
  const parts = await partsOf(source);
  const report = fieldsOf(parts.find(({ type }) => DELIVERY.test(type))?.body);
  if (!report.some(({ name, value }) => name === 'action' && FAILED.test(value))) return undefined;
  const headers = fieldsOf(headersIn(parts.find(({ type }) => HEADERS.test(type))?.body));
  const ids = [...valuesOf(report, 'original-envelope-id'), ...valuesOf(headers, 'message-id')];
  const [, mailId, mark] =
    ids.map((id) => MAIL_ID.exec(id.toLowerCase())).find((found) => found !== null) ?? [];
  if (mailId === undefined || mark === undefined) return undefined;
  return { mailId, mark, status: firstMatch(valuesOf(report, 'status'), CODE) };
}

/**
 * Encoded words (RFC 2047) and parameters in parts (RFC 2231) say nothing that is looked for, and each is decoded by
 * itself: thousands would hold up the process. No word can be written without `?`, and no part without `*`, however a
 * value is quoted or interrupted by comments.
 */
const withoutEncodedWords = (source: Buffer): Buffer =>
  Buffer.from(source.toString('latin1').replace(/[?*]/g, '_'), 'latin1');

interface Part {
  type: string;
  /** Decoded. */
  body: Buffer;
}

/** The parts that matter. A message that cannot be taken apart within the bounds has none. */
async function partsOf(source: Buffer): Promise<Part[]> {
  const parts: Promise<Part>[] = [];
  let decoder: NodeJS.WritableStream | undefined;
  const splitter = new Splitter(LIMITS);
  splitter.end(withoutEncodedWords(source));
  try {
    for await (const chunk of splitter) {
      if (chunk.type === 'body') decoder?.write(chunk.value);
      if (chunk.type !== 'node') continue;
      decoder?.end();
      decoder = undefined;
      const type = String(chunk.contentType).toLowerCase();
      if (!DELIVERY.test(type) && !HEADERS.test(type)) continue;
      const stream = chunk.getDecoder();
      decoder = stream;
      parts.push(bufferOf(stream).then((body) => ({ type, body })));
    }
  } catch {
    return [];
  } finally {
    decoder?.end();
  }
  return Promise.all(parts);
}

interface Field {
  /** In lower case. */
  name: string;
  value: string;
}

/** The fields of a report or of headers, each in one line (RFC 5322 §2.2.3). */
function fieldsOf(text: Buffer | undefined): Field[] {
  const lines: string[] = [];
  for (const line of (text ?? '').toString('latin1').split(/\r?\n/, LINES)) {
    if (/^[ \t]/.test(line) && lines.length > 0) lines.push(`${lines.pop()} ${line.trim()}`);
    else lines.push(line);
  }
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    return name === '' ? [] : [{ name, value: line.slice(colon + 1).trim() }];
  });
}

/** What stands before the first empty line. */
function headersIn(message: Buffer | undefined): Buffer | undefined {
  const end = message?.toString('latin1').search(/\n\r?\n/) ?? -1;
  return end < 0 ? message : message?.subarray(0, end);
}

const valuesOf = (fields: readonly Field[], wanted: string): string[] =>
  fields.filter(({ name }) => name === wanted).map(({ value }) => value);

const firstMatch = (values: readonly string[], pattern: RegExp): string | undefined =>
  values.map((value) => pattern.exec(value)?.[1]).find((found) => found !== undefined);
