import type { components, operations } from '../../spec/generated/api.js';
import type { OPERATIONS } from '../../spec/generated/operations.js';

type Table = typeof OPERATIONS;

/** The name of an operation of the contract, and of the client's method. */
export type OperationId = keyof Table;

/** The contract's models by name, such as `Schemas['ConsentRecord']`. */
export type Schemas = components['schemas'];

/** One problem of a refused request: its place, a message, and the rule. */
export type FieldError = Schemas['FieldError'];

/**
 * The contract's error codes, and `unexpected_answer` for an answer that is not the service's own JSON, such
 * as a proxy's.
 */
export type ErrorCode = Schemas['ErrorCode'] | 'unexpected_answer';

/** What the second step of a log-in needs. */
export type SecondStep = Schemas['SecondStep'];

/** The client: one method for each operation of the contract; lists also have `each`. */
export type Avow = { readonly [Id in keyof Table]: Method<Id> };

/** The options of one call. */
export type CallOptions<Id extends OperationId = OperationId> = {
  /**
   * Ends the call at any time, also while it waits for the next attempt. The call rejects with the signal's
   * reason.
   */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, instead of the client's value; 0 for no limit. */
  timeout?: number | undefined;
  /** The maximum number of retries, instead of the client's value. */
  retries?: number | undefined;
  /** Headers of this request; they override the client's. */
  headers?: Record<string, string> | undefined;
} & If<Id, 'i', IdempotencyOption>;

interface IdempotencyOption {
  /**
   * 1 to 128 visible ASCII characters. With a key of your own, another process may safely repeat the call.
   * Default: a new UUID for each call.
   */
  idempotencyKey?: string | undefined;
}

/** The parameters of an operation by their contract names, with the request body as `body`. */
export type Input<Id extends OperationId> = Flat<
  Declared<operations[Id]['parameters']['path']> &
    Declared<operations[Id]['parameters'] extends { query?: infer Query } ? Query : never> &
    Body<operations[Id]>
>;

/** A file as a stream: the fetch `Response`, with a body that is never null and can be iterated over. */
export interface AvowFile extends Response {
  readonly body: NonNullable<Response['body']> & AsyncIterable<Uint8Array>;
}

/** What a call resolves to: the envelope's `data`, or a file as the fetch `Response`. */
export type Output<Id extends OperationId> =
  HasFlag<Id, 'd'> extends true ? AvowFile : Data<SuccessOf<operations[Id]['responses']>>;

/** The item type of an operation that returns a list. */
export type Item<Id extends OperationId> = Output<Id> extends { items: (infer T)[] } ? T : never;

/** The method of one operation. */
export type Method<Id extends OperationId> = Call<Id, Promise<Output<Id>>> &
  WithResponse<Id> &
  If<Id, 'p', Paged<Id>>;

/** The result of a call, with details of the answer. */
export interface Answered<Data> {
  data: Data;
  status: number;
  headers: Headers;
  /** Quote it when asking for help; the service logs it. */
  requestId: string | undefined;
  /** The number of attempts. */
  attempts: number;
}

interface WithResponse<Id extends OperationId> {
  /** The same call; its result includes status, headers and request id of the answer. */
  withResponse: Call<Id, Promise<Answered<Output<Id>>>>;
}

interface Paged<Id extends OperationId> {
  /**
   * Every item of every page, fetched page by page as the loop asks for them; `limit` is the size of a page.
   */
  each: Call<Id, AsyncGenerator<Item<Id>, void, undefined>>;
}

/** The first argument may be left out when nothing in it is needed. */
type Call<Id extends OperationId, Result> =
  Partial<Input<Id>> extends Input<Id>
    ? (input?: Optional<Input<Id>>, options?: CallOptions<Id>) => Result
    : (input: Input<Id>, options?: CallOptions<Id>) => Result;

type HasFlag<Id extends OperationId, Flag extends string> = Table[Id][2] extends `${string}${Flag}${string}`
  ? true
  : false;
type If<Id extends OperationId, Flag extends string, T> = HasFlag<Id, Flag> extends true ? T : unknown;

/** `unknown`, which adds nothing to an intersection, where the contract declares `never`. */
type Declared<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type Flat<T> = { [Key in keyof T]: T[Key] };
/** An operation without parameters takes only `{}`, so that options as the first argument do not compile. */
type Optional<T> = keyof T extends never ? Record<string, never> : T;

type Body<Operation> = Operation extends { requestBody?: never }
  ? unknown
  : Operation extends { requestBody: Json<infer T> }
    ? { body: T }
    : Operation extends { requestBody?: Json<infer T> }
      ? { body?: T }
      : unknown;
type Json<T> = { content: { 'application/json': T } };

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201 | 202 | 204)];
type Data<Answer> =
  Answer extends Json<{ data: infer T }> ? T : Answer extends { content?: never } ? undefined : never;
