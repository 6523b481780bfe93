import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { SCAN_AGENT } from '../domain/analytics';
import { servesBanner } from '../domain/cookies/classification';
import type { Observation } from '../domain/cookies/result';
import type { Connector } from '../net/connector';
import { boundInterim } from '../net/interim';
import { hostOf } from '../net/target';
import { watchWire } from '../net/wire';
import type { Visit } from './browser';
import { connectorOf } from './connect';
import {
  answered,
  describeConnectError,
  NO_ANSWER,
  NOT_HTML,
  NOT_IN_TIME,
  ScanFailure,
  TOO_LARGE,
} from './failure';
import { Budget, type ScanLimits } from './limits';
import { MAX_SOURCE, readSource } from './page-source';
import { redirected } from './redirect';
import { VisitCookies } from './set-cookie';
import { portOf } from './target';

const MAX_REDIRECTS = 10;

/** Reads headers and source of a page, where no browser is. Throws `ScanFailure`. */
export async function visitByHttp(start: string, { policy, limits, stopped }: Visit): Promise<Observation> {
  const budget = new Budget(limits, 0, stopped);
  const connect = connectorOf(policy, budget);
  const jar = new VisitCookies();
  const hosts = new Set<string>();
  try {
    let url = new URL(start);
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      hosts.add(hostOf(url));
      const answer = await get(url, connect, budget, jar);
      const next = answer.headers.location;
      if ([301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) && next !== undefined) {
        answer.destroy();
        const to = redirected(next, url);
        if (to === undefined) break;
        url = to;
        continue;
      }
      return await observe(answer, url, { budget, jar, hosts, limits, stopped });
    }
    throw new ScanFailure(NO_ANSWER);
  } finally {
    budget.release();
  }
}

/** One request; redirects are the caller's. Throws `ScanFailure`. */
export async function get(
  url: URL,
  connect: Connector,
  budget: Budget,
  jar: VisitCookies,
): Promise<IncomingMessage> {
  if (!budget.takeRequest()) throw ended(budget);
  const secure = url.protocol === 'https:';
  const socket = await connect({ host: hostOf(url), port: portOf(url), secure }).catch((error) => {
    throw budget.reached === undefined ? new ScanFailure(describeConnectError(error)) : ended(budget);
  });
  const cookie = jar.headerFor(url);
  const headers = {
    Host: url.host,
    Accept: 'text/html,application/xhtml+xml',
    'Accept-Encoding': 'identity',
    'User-Agent': `Mozilla/5.0 (compatible; ${SCAN_AGENT})`,
    Connection: 'close',
    ...(cookie === '' ? {} : { Cookie: cookie }),
  };
  const request = boundInterim(
    httpRequest({ createConnection: () => socket, path: url.pathname + url.search, headers }),
  );
  request.once('socket', () => watchWire(socket, (bytes) => budget.takeBytes(bytes)));
  request.on('error', () => undefined);
  request.end();
  let answer: IncomingMessage;
  try {
    answer = await answerTo(request, budget.signal);
    // The bytes that ended its header may have been too many.
    budget.signal.throwIfAborted();
  } catch {
    socket.destroy();
    throw budget.reached === undefined ? new ScanFailure(NO_ANSWER) : ended(budget);
  }
  budget.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  answer.on('error', () => undefined);
  jar.keep(answer.headers['set-cookie'] ?? [], url);
  return answer;
}

/** Rejects when the connection ends before, also by an answer with an upgrade, which nobody asked for. */
const answerTo = (request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('close', reject);
    if (signal.aborted) reject();
    signal.addEventListener('abort', reject, { once: true });
  });

interface Seeing {
  budget: Budget;
  jar: VisitCookies;
  hosts: ReadonlySet<string>;
  limits: ScanLimits;
  stopped: AbortSignal;
}

async function observe(
  answer: IncomingMessage,
  url: URL,
  { budget, jar, hosts, limits, stopped }: Seeing,
): Promise<Observation> {
  const status = answer.statusCode ?? 0;
  if (status >= 400) throw new ScanFailure(answered(status));
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(answer.headers['content-type'] ?? 'text/html'))
    throw new ScanFailure(NOT_HTML);
  const body = await readBody(answer, budget);
  // What was not read to its end says nothing of what comes after.
  if (!answer.complete && budget.reached === undefined) throw new ScanFailure(NO_ANSWER);
  const text = await decode(body, answer.headers['content-encoding'], limits.bytes);
  const { hosts: named, banner } = await readSource(text, url.href, stopped);
  const all = [...new Set([...hosts, ...named])];
  return {
    engine: 'http',
    finalUrl: url.href,
    cookies: await jar.seen(),
    // Scripts alone keep something there.
    items: [],
    itemsCut: false,
    hosts: all,
    bannerDetected: banner || all.some(servesBanner),
    blank: text.trim() === '',
    cutShort: budget.reached,
  };
}

/** Reads to the end or up to a limit. */
export function readBody(answer: IncomingMessage, budget: Budget): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // Its bytes are counted as the connection brings them.
      budget.takePiece();
    });
    answer.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** Some servers compress although they were asked not to; a bomb ends at the limit. */
export async function decode(
  body: Buffer,
  encoding: string | undefined,
  maxOutputLength: number,
): Promise<string> {
  try {
    const plain =
      encoding === 'br'
        ? await promisify(brotliDecompress)(body, { maxOutputLength })
        : encoding === 'gzip' || encoding === 'deflate'
          ? await (promisify(unzip) as (body: Buffer, options: object) => Promise<Buffer>)(body, {
              maxOutputLength,
            })
          : body;
    // Every character takes at least one byte.
    return plain.subarray(0, MAX_SOURCE).toString('utf8');
  } catch {
    return '';
  }
}

const ended = ({ reached }: Budget): ScanFailure =>
  new ScanFailure(reached === 'time' ? NOT_IN_TIME : TOO_LARGE);
