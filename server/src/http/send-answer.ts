import { Readable } from 'node:stream';
import { Cached, Download, InChunks, senderOf } from '../api/handler';
import { JSON_TYPE, StoredFile } from '../bundles/packed';
import type { Context } from '../context';
import { FairTurns, type Sender } from '../domain/fair-turns';
import { MadeJson } from '../domain/made-json';
import { blockOf, networkOf } from '../domain/mask';
import {
  bytesInEnvelope,
  inEnvelope,
  isKnown,
  sendFileHead,
  sendJson,
  sendJsonHead,
  sendNothing,
  successJson,
} from './answer';
import { codingOf, compress, compressor } from './compress';
import { isAwaited } from './downloads';
import type { Exchange } from './exchange';
import { sendContent, sendStored } from './files';
import { holdAnswer } from './held';
import { limitReading } from './limits';
import { endUnread, HELD, LARGE, READING } from './reading';
import type { ValidRequest } from './valid-request';

/** Sends what a handler has returned; `check` throws once whoever asked may no longer read what is sent in parts. */
export async function sendAnswer(
  context: Context,
  exchange: Exchange,
  valid: ValidRequest,
  data: unknown,
  check: () => Promise<void>,
): Promise<void> {
  const { operation } = valid;
  const sending = {
    log: context.log,
    check,
    isAwaited: () => valid.caller !== undefined && isAwaited(valid.caller),
    // Strangers have no places for downloads, which bound how many are read at once.
    pace: valid.caller === undefined ? HELD : READING,
    reader: readerOf(valid)[0],
  };
  if (data instanceof Download) {
    const coding = codingOf(exchange, operation, data.contentType);
    sendFileHead(exchange, data, coding.headers);
    return sendContent(exchange, [data.content, ...(exchange.head ? [] : compressor(coding))], sending);
  }
  if (data instanceof InChunks) {
    const coding = codingOf(exchange, operation, JSON_TYPE);
    sendJsonHead(exchange, operation.status, coding.headers);
    const text = Readable.from(inEnvelope(data.json, operation.message), { objectMode: false });
    return sendContent(exchange, [text, ...(exchange.head ? [] : compressor(coding))], sending);
  }
  if (data instanceof StoredFile) {
    sendStored(exchange, data, context.log);
    return;
  }
  if (data instanceof Cached) {
    sendCached(context, exchange, valid, data);
    return;
  }
  const json = wholeJson(data, operation.message);
  limitReading(valid.limiter, valid, json.length);
  await sendData(context, exchange, valid, json);
}

/** The JSON of an answer; a large one outside of the heap, where it may wait for long. */
function wholeJson(data: unknown, message: string): { text: string | Buffer; length: number } {
  if (data instanceof MadeJson) {
    const text = bytesInEnvelope(data.bytes, message);
    return { text, length: text.length };
  }
  const text = successJson(data, message);
  const length = Buffer.byteLength(text);
  return { text: length < LARGE ? text : Buffer.from(text), length };
}

/** Who waits for an answer: an account, or the networks of a block, of which one customer may have many. */
const readerOf = ({ caller, address }: ValidRequest): Sender =>
  caller === undefined ? [`block ${blockOf(address)}`, `network ${networkOf(address)}`] : senderOf(caller);

/** Large answers that are compressed at once. What waits for it is in memory, whether its reader is still there or not. */
const COMPRESSIONS = new FairTurns(4, { each: 16, all: 60 });

/** The JSON of an answer, compressed if that is allowed and pays. */
async function sendData(
  { log }: Context,
  exchange: Exchange,
  valid: ValidRequest,
  json: ReturnType<typeof wholeJson>,
): Promise<void> {
  const { operation } = valid;
  const coding = codingOf(exchange, operation, JSON_TYPE);
  const keep = exchange.head ? undefined : holdAnswer(exchange, readerOf(valid), json.length, log);
  const pack = () => compress(json.text, coding);
  const packed = () => (json.length < LARGE ? pack() : COMPRESSIONS.take(readerOf(valid), pack));
  const [bytes, headers] = coding.encoding === 'identity' ? [json.text, coding.headers] : await packed();
  if (typeof bytes !== 'string') keep?.(bytes.length);
  endUnread(exchange, bytes.length, log);
  sendJson(exchange, operation.status, bytes, headers);
}

function sendCached(
  { log }: Context,
  exchange: Exchange,
  valid: ValidRequest,
  { data, etag, maxAge, keeper }: Cached<unknown>,
): void {
  const { operation } = valid;
  const headers = {
    'Cache-Control': `${keeper}, max-age=${maxAge}`,
    ...(etag === undefined ? {} : { ETag: etag }),
  };
  if (etag !== undefined && isKnown(exchange, etag)) {
    sendNothing(exchange, 304, headers);
    return;
  }
  const json = wholeJson(data, operation.message);
  if (!exchange.head) holdAnswer(exchange, readerOf(valid), json.length, log);
  endUnread(exchange, json.length, log);
  sendJson(exchange, operation.status, json.text, headers);
}
