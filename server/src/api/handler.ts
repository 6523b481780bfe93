import type { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import type { OPERATION_RULES } from '../../../spec/generated/rules';
import type { StoredFile } from '../bundles/packed';
import type { Context } from '../context';
import type { EnvironmentRow } from '../db/models';
import { BY_INVITED, FOUNDER, INVITED, type Member, type Patience } from '../domain/fair-turns';
import type { MadeJson } from '../domain/made-json';
import type { Role, Scope } from '../domain/types';
import type { Change } from '../events/outbox';
import type { Client } from '../ingest/decision';
import type { Site } from '../ingest/site';
import type { Claims } from '../security/tokens';
import type { Audit, Recorded } from '../services/audit';

/** Data that browsers and proxies may cache for a while. */
export class Cached<Value> {
  constructor(
    readonly data: Value,
    /** Makes a repeated request with `If-None-Match` a 304. */
    readonly etag: string | undefined,
    /** Seconds. */
    readonly maxAge: number,
    /** `private`: only the caller's own browser may keep it. */
    readonly keeper: 'public' | 'private' = 'public',
  ) {}
}

/** Data too large to be serialised at once: the JSON of `Value`, piece by piece. */
export class InChunks<Value> {
  /** Never set: lets the compiler tell the types of answers apart. */
  declare readonly value: Value;

  constructor(readonly json: Readable) {}
}

/** An API key with which a request came. */
export interface CallerKey {
  id: string;
  scopes: readonly Scope[];
  /** The only site that it reaches; null: every site where its maker is an owner. */
  environmentId: string | null;
  /** The day of its last use, in UTC. */
  usedOn: string | null;
}

/** A person who is logged in, or the maker of an API key, for whom a program acts. */
export interface Caller {
  userId: number;
  key?: CallerKey;
  /** The group that the account belongs to. */
  group: number;
  /** Whether an account invited it that had been invited itself. */
  byInvited: boolean;
  name: string;
  email: string;
  createdAt: Date;
  /** What the bearer token of the request says; of no meaning with a key. */
  session: Claims;
  /** Whether the session was begun with a second factor, or the maker of the key has one. */
  hasSecondFactor: boolean;
  /** For how much longer the request may wait for turns. */
  patience: Patience;
}

/** Whose turn a caller takes: groups take turns, then the accounts of a group, then an account's keys and its login. */
export const senderOf = ({
  group,
  userId,
  byInvited,
  key,
}: Pick<Caller, 'group' | 'userId' | 'byInvited' | 'key'>): Required<Member> => [
  `group ${group}`,
  userId === group ? FOUNDER : `${byInvited ? BY_INVITED : INVITED} ${userId}`,
  key?.id ?? '',
];

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

/** What every handler gets in addition to its input. */
export interface Always {
  readonly client: Client;
  /** The full address, for limits and keyed hashes only: never store or log it. */
  readonly address: string;
  /** The `Origin` header: from which page a browser sent it. */
  readonly origin: string | undefined;
  /** When an idempotency key was sent: the key, for whom it means something, and a hash of the body. */
  readonly idempotency: { scope: string; key: string; bodyHash: string } | undefined;
  /** A header of the request, if its peer is a proxy that is trusted. */
  proxyHeader(name: string): string | undefined;
  /** A hash of the body as it came. */
  bodyHash(): string;
  /** Counts the request as so many more, where visitors' or owners' requests are limited. Throws 429. */
  countMore(more: number): void;
  /** Counts bytes of receipts that the address gets, of all sites; 0 before one is made. Throws 429. */
  countReceipt(bytes: number): void;
  /** Counts bytes of cookie declarations made for the address, of all sites; 0 before one is made. Throws 429 then. */
  countDeclaration(bytes: number): void;
  /** Counts what a link between domains costs, by address and site. Throws 429. */
  countLink(): void;
}

/** For visitor operations: the environment of the path. */
export interface OfVisitor {
  readonly site: Site;
}

/** For operations that need a login: the caller. */
export interface OfAccount {
  readonly caller: Caller;
}

/**
 * For operations that need a role in an environment: the environment of the path and the caller's role in it.
 */
export interface OfMember extends OfAccount {
  readonly environment: EnvironmentRow;
  readonly role: Role;
}

/** For operations that change something for the owner's side. */
export interface OfAudit {
  /**
   * The operation's event in the audit trail. An operation that opens its own transactions writes it in that of the
   * change and answers with the receipt; for all others it is written before the commit, with what they note.
   */
  readonly audit: Audit;
  /** The last step of a transaction that an operation opens itself: throws if its caller may do this no more. */
  stay(trx: Knex): Promise<void>;
}

/** Chosen by the access that the contract declares. */
interface ByAccess {
  visitor: OfVisitor & { readonly caller?: Caller | undefined };
  account: OfAccount;
  member: OfMember;
  public: { readonly caller?: Caller | undefined };
}

type Rules = typeof OPERATION_RULES;
type OperationId = keyof operations;

/**
 * Exactly what exists for an operation: depends on its access, and has a transaction only if it runs in one.
 */
type Surroundings<Id extends OperationId> = Always &
  ByAccess[Rules[Id]['access']] &
  (Rules[Id] extends { audit: 'change' } ? OfAudit : unknown) &
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
  Success<Op> extends { content: { 'application/json': { data: infer Value } } } ? Value : never;

interface Input<Op> {
  params: Parameters<Op, 'path'>;
  query: Query<Op>;
  body: JsonBody<Op>;
}

/** Only what the contract marks may be streamed: so much of it at once is bounded by the mark. */
type Streamed<Id extends OperationId> = Rules[Id] extends { download: true }
  ? Download | InChunks<Data<operations[Id]>>
  : never;

type Whole<Value> = Cached<Value> | (Value extends object ? MadeJson<Value> : never);

type Result<Id extends OperationId> = Rules[Id] extends { audit: 'change'; transaction: false }
  ? // Without a receipt of the audit trail it does not compile.
    Recorded<Data<operations[Id]>>
  : Data<operations[Id]> | Whole<Data<operations[Id]>> | (Streamed<Id> | StoredFile);

/**
 * One function per operation: takes typed input, returns the data of the envelope, and does not depend on
 * Express.
 */
export type Handler<Id extends OperationId> = (
  context: Context,
  request: Input<operations[Id]> & Surroundings<Id>,
) => Promise<Result<Id>>;

/** The whole contract: a missing handler does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> };

/** Asks the database in turn with others of the group, for operations that wait for other servers besides. */
export const inOwnTurn = <Result>(
  { ownTurns }: Pick<Context, 'ownTurns'>,
  caller: Caller,
  work: () => Promise<Result>,
): Promise<Result> => ownTurns.take(senderOf(caller), work, caller.patience);
