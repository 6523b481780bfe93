import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { servesBanner } from '../domain/scan/classification';
import type { Observation } from '../domain/scan/result';
import { type Connector, createConnector } from '../net/connector';
import { hostOf } from '../net/target';
import type { Visit } from './browser';
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
import { readSource } from './page-source';
import { readSetCookie, type SentCookie } from './set-cookie';
import { portOf } from './target';

const CONNECT_MS = 5_000;
const MAX_REDIRECTS = 10;

/** Reads headers and source of a page, where no browser is. Throws `ScanFailure`. */
export async function visitByHttp(start: string, { policy, limits, stopped }: Visit): Promise<Observation> {
  const budget = new Budget(limits, 0, stopped);
  const connect = createConnector(policy, { connectMs: CONNECT_MS, ca: undefined, closed: budget.signal });
  const jar = new Map<string, SentCookie>();
  const hosts = new Set<string>();
  try {
    let url = new URL(start);
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      hosts.add(hostOf(url));
      const answer = await get(url, connect, budget, jar);
      const next = answer.headers.location;
      if ([301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) && next !== undefined) {
        answer.destroy();
        if (!URL.canParse(next, url.href)) break;
        url = new URL(next, url);
        if (!/^https?:$/.test(url.protocol)) break;
        continue;
      }
      return await observe(answer, url, budget, jar, hosts, limits);
    }
    throw new ScanFailure(NO_ANSWER);
  } finally {
    budget.release();
  }
}

async function get(
  url: URL,
  connect: Connector,
  budget: Budget,
  jar: Map<string, SentCookie>,
): Promise<IncomingMessage> {
  if (!budget.takeRequest()) throw ended(budget);
  const secure = url.protocol === 'https:';
  const socket = await connect({ host: hostOf(url), port: portOf(url), secure }).catch((error) => {
    throw budget.reached === undefined ? new ScanFailure(describeConnectError(error)) : ended(budget);
  });
  const cookie = [...jar.values()]
    .filter(({ cookie: { domain } }) => domain === hostOf(url) || hostOf(url).endsWith(`.${domain}`))
    .map(({ cookie: { name }, value }) => `${name}=${value}`)
    .join('; ');
  const headers = {
    Host: url.host,
    Accept: 'text/html,application/xhtml+xml',
    'Accept-Encoding': 'identity',
    'User-Agent': 'Mozilla/5.0 (compatible; Avow-Scan)',
    Connection: 'close',
    ...(cookie === '' ? {} : { Cookie: cookie }),
  };
  const request = httpRequest({ createConnection: () => socket, path: url.pathname + url.search, headers });
  request.on('error', () => undefined);
  request.end();
  let answer: IncomingMessage;
  try {
    [answer] = (await once(request, 'response', { signal: budget.signal })) as [IncomingMessage];
  } catch {
    request.destroy();
    throw budget.reached === undefined ? new ScanFailure(NO_ANSWER) : ended(budget);
  }
  budget.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  answer.on('error', () => undefined);
  keepCookies(answer, url, jar);
  return answer;
}

function keepCookies(answer: IncomingMessage, url: URL, jar: Map<string, SentCookie>): void {
  for (const header of (answer.headers['set-cookie'] ?? []).slice(0, 180)) {
    const sent = readSetCookie(header, hostOf(url), url.protocol === 'https:', Date.now());
    if (sent !== undefined) jar.set(`${sent.cookie.name} ${sent.cookie.domain}`, sent);
  }
}

async function observe(
  answer: IncomingMessage,
  url: URL,
  budget: Budget,
  jar: Map<string, SentCookie>,
  hosts: Set<string>,
  limits: ScanLimits,
): Promise<Observation> {
  const status = answer.statusCode ?? 0;
  if (status >= 400) throw new ScanFailure(answered(status));
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(answer.headers['content-type'] ?? 'text/html'))
    throw new ScanFailure(NOT_HTML);
  const body = await readBody(answer, budget);
  const { hosts: named, banner } = readSource(
    decode(body, answer.headers['content-encoding'], limits.bytes),
    url.href,
  );
  const all = [...new Set([...hosts, ...named])];
  return {
    engine: 'http',
    finalUrl: url.href,
    cookies: [...jar.values()].map(({ cookie }) => cookie),
    hosts: all,
    bannerDetected: banner || all.some(servesBanner),
    cutShort: budget.reached,
  };
}

/** What comes until the end, or until a limit. */
function readBody(answer: IncomingMessage, budget: Budget): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      budget.takeBytes(chunk.length);
    });
    answer.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** Some servers compress although they were asked not to; a bomb ends at the limit. */
function decode(body: Buffer, encoding: string | undefined, maxOutputLength: number): string {
  try {
    if (encoding === 'br') return brotliDecompressSync(body, { maxOutputLength }).toString('utf8');
    if (encoding === 'gzip' || encoding === 'deflate')
      return unzipSync(body, { maxOutputLength }).toString('utf8');
  } catch {
    return '';
  }
  return body.toString('utf8');
}

const ended = ({ reached }: Budget): ScanFailure =>
  new ScanFailure(reached === 'time' ? NOT_IN_TIME : TOO_LARGE);
