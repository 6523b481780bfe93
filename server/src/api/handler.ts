import type { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import type { Packed } from '../bundle/packed';
import type { Context } from '../context';
import type { EnvironmentRow } from '../db/models';
import type { Role } from '../domain/types';
import type { Site } from '../ingest/site';

/** Data that a browser or a proxy may keep for a while. */
export class Cached<Value> {
  constructor(
    readonly data: Value,
    /** Makes a repeated request with `If-None-Match` a 304. */
    readonly etag: string | undefined,
    /** Seconds. */
    readonly maxAge: number,
  ) {}
}

/** A file that is kept ready in memory, for anybody and for caches. */
export class Stored {
  constructor(
    readonly file: Packed,
    /** Of the answer. */
    readonly cacheControl: string,
  ) {}
}

/** A person who is logged in. */
export interface Caller {
  userId: number;
  name: string;
  email: string;
  createdAt: Date;
}

/** What a decision records of the client. */
export interface Client {
  ipMasked: string;
  userAgent: string | null;
  /** Global Privacy Control: the request carried `Sec-GPC: 1`. */
  gpc: boolean;
}

/** A file as an answer; the stream is read only as fast as the client takes it. */
export class Download {
  constructor(
    readonly contentType: string,
    readonly fileName: string,
    readonly content: Readable,
    /** Shown by the browser instead of being saved. */
    readonly inline = false,
  ) {}
}

/** What a handler is given besides its input. Which parts are there follows from the contract; asking for another one throws. */
export interface Surroundings {
  /** Who calls: operations with a bearer token. */
  readonly caller: Caller;
  /** The environment of the path: operations with a bearer token and a `{token}`. */
  readonly environment: EnvironmentRow;
  /** The caller's role in it. */
  readonly role: Role;
  /** The environment of the path: visitor operations. */
  readonly site: Site;
  /** The transaction that the whole operation runs in: operations that change something, but for those of the visitor write path. */
  readonly trx: Knex.Transaction;
  /** Runs once the transaction is committed; never after a rollback. */
  afterCommit(work: () => void): void;
  readonly client: Client;
  /** The full address, for limits only: never store or log it. */
  readonly address: string;
  /** The idempotency key and a hash of the body, when a key was sent. */
  readonly idempotency: { key: string; bodyHash: string } | undefined;
  /** A hash of the body as it came. */
  bodyHash(): string;
}

type Json<Body> = Body extends { content: { 'application/json': infer Value } } ? Value : never;
type JsonBody<Op> = Op extends { requestBody: infer Body }
  ? Json<Body>
  : Op extends { requestBody?: infer Body }
    ? Json<NonNullable<Body>> | undefined
    : undefined;
type Parameters<Op, Where extends string> = Op extends { parameters: Record<Where, infer Value> }
  ? Value
  : never;
type Query<Op> = Op extends { parameters: { query?: infer Value } } ? NonNullable<Value> : never;
type Success<Op> = Op extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 202 ? Responses[Status] : never;
    }[keyof Responses]
  : never;
type Data<Op> =
  Success<Op> extends { content: { 'application/json': { data: infer Value } } } ? Value : Download;

export interface Input<Op> {
  params: Parameters<Op, 'path'>;
  query: Query<Op>;
  body: JsonBody<Op>;
}

/** One function for each operation: takes typed input, returns the data of the envelope, and has never heard of Express. */
export type Handler<Op> = (
  context: Context,
  request: Input<Op> & Surroundings,
) => Promise<Data<Op> | Cached<Data<Op>> | Download | Stored>;

/** The whole contract: a missing handler does not compile. */
export type Handlers = { [Id in keyof operations]: Handler<operations[Id]> };
