import type { Readable } from 'node:stream';
import type { operations } from '../../../spec/generated/api';
import type { OPERATION_RULES } from '../../../spec/generated/rules';
import type { StoredFile } from '../bundles/packed';
import type { Context } from '../context';
import type { EnvironmentRow } from '../db/models';
import type { Role } from '../domain/types';
import type { Change } from '../events/outbox';
import type { Client } from '../ingest/decision';
import type { Site } from '../ingest/site';

/** Data that a browser or a proxy may cache for a while. */
export class Cached<Value> {
  constructor(
    readonly data: Value,
    /** Makes a repeated request with `If-None-Match` a 304. */
    readonly etag: string | undefined,
    /** Seconds. */
    readonly maxAge: number,
  ) {}
}

/** Data that are too large to be written at once: the JSON of `Value` as it is made. */
export class InPieces<Value> {
  /** Only for the compiler, which must tell one answer from another. */
  declare readonly value: Value;

  constructor(readonly json: Readable) {}
}

/** A person who is logged in. */
export interface Caller {
  userId: number;
  name: string;
  email: string;
  createdAt: Date;
  /** The bearer token of the request, by its hash. */
  session: { tokenHash: Buffer; expiresAt: Date };
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

/** What every handler is given besides its input. */
export interface Always {
  readonly client: Client;
  /** The full address, for limits only: never store or log it. */
  readonly address: string;
  /** The idempotency key and a hash of the body, when a key was sent. */
  readonly idempotency: { key: string; bodyHash: string } | undefined;
  /** A hash of the body as it came. */
  bodyHash(): string;
  /** Counts the request as so many more, where visitors' requests are limited. Throws 429. */
  countMore(more: number): void;
}

/** Besides that, to the operations of visitors: the environment of the path. */
export interface OfVisitor {
  readonly site: Site;
}

/** To those that need a login: who calls. */
export interface OfAccount {
  readonly caller: Caller;
}

/** To those that need a role in an environment: the environment of the path, and the caller's role there. */
export interface OfMember extends OfAccount {
  readonly environment: EnvironmentRow;
  readonly role: Role;
}

/** By the access that the contract declares. */
interface ByAccess {
  visitor: OfVisitor;
  account: OfAccount;
  member: OfMember;
  public: { readonly caller?: Caller | undefined };
}

type Rules = typeof OPERATION_RULES;
type OperationId = keyof operations;

/**
 * Exactly what there is for an operation: by its access, and the transaction only of one that runs in one.
 */
type Surroundings<Id extends OperationId> = Always &
  ByAccess[Rules[Id]['access']] &
  (Rules[Id]['transaction'] extends true ? Change : unknown);

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

interface Input<Op> {
  params: Parameters<Op, 'path'>;
  query: Query<Op>;
  body: JsonBody<Op>;
}

type Result<Op> = Data<Op> | Cached<Data<Op>> | InPieces<Data<Op>> | Download | StoredFile;

/**
 * One function for each operation: takes typed input, returns the data of the envelope, and has never heard
 * of Express.
 */
export type Handler<Id extends OperationId> = (
  context: Context,
  request: Input<operations[Id]> & Surroundings<Id>,
) => Promise<Result<operations[Id]>>;

/** The whole contract: a missing handler does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> };
