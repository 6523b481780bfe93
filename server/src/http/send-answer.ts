import { Readable } from 'node:stream';
import { Cached, Download, InChunks } from '../api/handler';
import { JSON_TYPE, StoredFile } from '../bundles/packed';
import type { Context } from '../context';
import type { Operation } from '../contract/operations';
import {
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
import { limitReading } from './limits';
import { endUnread, HELD, READING } from './reading';
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
    sendCached(exchange, operation, data);
    return;
  }
  const json = successJson(data, operation.message);
  limitReading(valid.limiter, valid, Buffer.byteLength(json));
  await sendData(context, exchange, operation, json);
}

/** The JSON of an answer, compressed if that is allowed and pays. */
async function sendData(
  { log }: Context,
  exchange: Exchange,
  operation: Operation,
  json: string,
): Promise<void> {
  const coding = codingOf(exchange, operation, JSON_TYPE);
  const [bytes, headers] =
    coding.encoding === 'identity' ? [json, coding.headers] : await compress(json, coding);
  endUnread(exchange, bytes.length, log);
  sendJson(exchange, operation.status, bytes, headers);
}

function sendCached(exchange: Exchange, operation: Operation, { data, etag, maxAge }: Cached<unknown>): void {
  const headers = {
    'Cache-Control': `public, max-age=${maxAge}`,
    ...(etag === undefined ? {} : { ETag: etag }),
  };
  if (etag !== undefined && isKnown(exchange, etag)) {
    sendNothing(exchange, 304, headers);
    return;
  }
  sendJson(exchange, operation.status, successJson(data, operation.message), headers);
}
