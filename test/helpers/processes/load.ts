import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { checkAnswer } from '../contract';
import { endChildren } from './child';

/** An answer, and how long it took in milliseconds. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  milliseconds: number;
}

/** No answer may take longer, in milliseconds. */
const LIMIT = 20_000;

/** One request; rejects when the connection breaks. Every answer is checked against the contract. */
export function send(
  agent: Agent,
  method: string,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const startedAt = performance.now();
  const json = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        agent,
        headers: json === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
        signal: AbortSignal.timeout(LIMIT),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const status = response.statusCode as number;
          try {
            checkAnswer(method, url, status, response.headers['content-type'] ?? null, text);
          } catch (error) {
            reject(error);
            return;
          }
          resolve({ status, headers: response.headers, text, milliseconds: performance.now() - startedAt });
        });
      },
    );
    sent.on('error', reject);
    sent.end(json);
  });
}

/** What a load has seen. */
export interface Seen {
  /** consent_id by the request's number, of every 201. */
  acknowledged: string[];
  /** How many answers of each status there were. */
  statuses: Record<number, number>;
  /** Requests whose connection broke: nobody said that they were stored. */
  broken: number;
  /** The slowest answer, in milliseconds. */
  slowest: number;
  /** What should not have been: a 503 without Retry-After, a 500, a hang. */
  faults: string[];
}

export interface LoadOptions {
  /** Where to; asked before each request, so that a server may come back elsewhere. */
  urls(): string[];
  token: string;
  connections?: number;
  /** Off: a connection for each request. */
  keepAlive?: boolean;
  /** Sessions to take from, in turn; by default each request has a new one. */
  sessions?: string[];
  /** Idempotency keys to take from, in turn; by default none. */
  key?(n: number): string | undefined;
}

const DECISIONS = ['accept_all', 'reject_all'] as const;

/** Visitors who log decisions one after the other on each connection, until they are told to stop. */
export class Load {
  readonly seen: Seen = { acknowledged: [], statuses: {}, broken: 0, slowest: 0, faults: [] };
  private readonly agent: Agent;
  private readonly loops: Promise<void>[];
  private stopping = false;
  private sent = 0;

  constructor(private readonly options: LoadOptions) {
    const connections = options.connections ?? 16;
    this.agent = new Agent({ keepAlive: options.keepAlive ?? true, maxSockets: connections });
    loads.add(this);
    this.loops = Array.from({ length: connections }, () => this.loop());
  }

  /** Ends after the requests in flight. */
  async stop(): Promise<Seen> {
    this.stopping = true;
    await Promise.all(this.loops);
    this.agent.destroy();
    loads.delete(this);
    return this.seen;
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      const n = this.sent++;
      try {
        this.take(await this.log(n));
      } catch (error) {
        const { code, message, name } = error as NodeJS.ErrnoException;
        this.seen.broken += 1;
        if (code === 'ECONNREFUSED') await delay(100);
        else if (!/^(ECONNRESET|EPIPE)$/.test(code ?? ''))
          this.seen.faults.push(`${name} ${code ?? ''} ${message}`);
      }
    }
  }

  private log(n: number): Promise<Answer> {
    const { urls, token, sessions, key } = this.options;
    const all = urls();
    const url = `${all[n % all.length]}/api/consents/${token}/log`;
    const session_id = sessions?.[n % sessions.length] ?? randomUUID();
    const idempotency = key?.(n);
    return send(
      this.agent,
      'POST',
      url,
      { session_id, decision: DECISIONS[n % 2] },
      idempotency === undefined ? {} : { 'Idempotency-Key': idempotency },
    );
  }

  private take({ status, headers, text, milliseconds }: Answer): void {
    const { seen } = this;
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    seen.slowest = Math.max(seen.slowest, milliseconds);
    if (status === 201) seen.acknowledged.push(JSON.parse(text).data.consent_id);
    else if (status !== 503) seen.faults.push(`${status} ${text.slice(0, 200)}`);
    else if (headers['retry-after'] === undefined) seen.faults.push('503 without Retry-After');
  }
}

const loads = new Set<Load>();

/** For afterAll: no load and no process of a test outlives it, also when it failed in the middle. */
export async function endAll(): Promise<void> {
  const ends = [...loads].map((load) => load.stop());
  await endChildren();
  await Promise.all(ends);
}
