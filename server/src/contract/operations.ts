import type { operations } from '../../../spec/generated/api';
import { OPERATION_RULES } from '../../../spec/generated/rules';
import { methodNotAllowed, notFound, ValidationError } from '../domain/errors';
import type { Role, Scope } from '../domain/types';
import { MAX_PATH } from './bounds';
import { contractDocument, contractYaml, type Json, resolve } from './document';

export type OperationId = keyof operations;

/** What the server must know of an operation; all of it comes from the contract. */
export interface Operation {
  id: OperationId;
  method: string;
  /** As in the contract: `/api/consents/{token}/log`. */
  path: string;
  segments: string[];
  /** The status of its success. */
  status: number;
  /** The message of a successful answer; a file has none. */
  message: string;
  /** The whole operation runs in one transaction. */
  transaction: boolean;
  /** Its answer is streamed for as long as the client reads. */
  download: boolean;
  /** What its event in the audit trail says that it does; undefined: it has none. */
  audit: 'change' | 'export' | undefined;
  bearer: boolean;
  /** A bearer token is optional. */
  optionalLogin: boolean;
  /** The least role in the environment of its path. */
  role: Role | undefined;
  /** What an API key must be allowed to do; undefined: no key may call it. */
  scope: Scope | undefined;
  /** A session must have been authenticated lately. */
  recentLogin: boolean;
  /** Any page may call it, without a login. */
  open: boolean;
  /**
   * Any origin may read its answer. Browsers do not send bearer tokens by themselves, so no page can act for
   * a user.
   */
  anyOrigin: boolean;
  /** Called by visitors' browsers: answered by the fast host too. */
  visitor: boolean;
  /** A file of visitors, answered from memory under rules of its own. */
  file: boolean;
  /** Its address may carry any query, which is ignored. */
  anyQuery: boolean;
  hasToken: boolean;
  takesKey: boolean;
  /** Requests a minute from one address, where the general limit is too wide. */
  limit: number | undefined;
  /** Media types of its body; none when it takes no body. */
  bodyTypes: string[];
  bodyRequired: boolean;
  /** Bytes of its body, at most. */
  bodyLimit: number;
  queryNames: ReadonlySet<string>;
  /** Parameters that accept a day in the site's time zone instead of an instant. */
  timeNames: readonly string[];
  /** Parameters of path and query that are whole numbers. */
  integers: ReadonlySet<string>;
  parameters: Json[];
  /** As the document declares it. */
  declared: Json;
}

/** An operation and the values of its path. */
export interface Match {
  operation: Operation;
  params: Record<string, string>;
}

export interface Contract {
  document: Json;
  yaml: string;
  operations: Operation[];
  /** Finds the operation of a request. Throws 404, 405, or 400 for bad percent-encoding. */
  match(method: string, path: string): Match;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
/** The maximum bytes of a body with a login, and without. */
const OWNER_BODY = 1024 * 1024;
const ANYBODY_BODY = 64 * 1024;
let loaded: Contract | undefined;

/** The contract, read once from the generated document. */
export function loadContract(): Contract {
  if (loaded !== undefined) return loaded;
  const document = contractDocument();
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => toOperation(path, method, item[method])),
  );
  // A fixed segment goes before a parameter: /consents/export before /consents/{consent_id}.
  const ordered = [...operations].sort((a, b) => countParameters(a) - countParameters(b));
  loaded = {
    document,
    yaml: contractYaml(),
    operations,
    match: (method, path) => match(ordered, method, path),
  };
  return loaded;
}

const countParameters = ({ segments }: Operation): number =>
  segments.filter((segment) => parameterOf(segment) !== undefined).length;

/**
 * A segment of a path such as `{token}` or `{token}.js`: the parameter's name and what must follow its value.
 */
export function parameterOf(segment: string): { name: string; ending: string } | undefined {
  if (!segment.startsWith('{')) return undefined;
  const end = segment.indexOf('}');
  return { name: segment.slice(1, end), ending: segment.slice(end + 1) };
}

function toOperation(path: string, method: string, item: Json): Operation {
  const parameters = (item.parameters ?? []).map(resolve);
  const status = Number(Object.keys(item.responses).find((code) => code.startsWith('2')));
  const visitor = item['x-visitor'] === true;
  const open = visitor || item['x-public'] === true;
  const bearer = (item.security ?? []).length > 0 && item['x-optional-login'] !== true;
  const id: OperationId = item.operationId;
  const rule: { message?: string; transaction: boolean; download?: boolean; audit?: Operation['audit'] } =
    OPERATION_RULES[id];
  return {
    id,
    method: method.toUpperCase(),
    path,
    segments: path.slice(1).split('/'),
    status,
    message: rule.message ?? 'Done.',
    transaction: rule.transaction,
    download: rule.download === true,
    audit: rule.audit,
    bearer,
    optionalLogin: item['x-optional-login'] === true,
    role: item['x-role'],
    scope: item['x-scope'],
    recentLogin: item['x-recent-login'] === true,
    open,
    anyOrigin: open || item['x-any-origin'] === true,
    visitor,
    file: item['x-file'] === true,
    anyQuery: item['x-any-query'] === true,
    hasToken: path.includes('{token}'),
    takesKey: parameters.some(({ name }: Json) => name === 'Idempotency-Key'),
    limit: item['x-limit'],
    bodyTypes: Object.keys(item.requestBody?.content ?? {}),
    bodyRequired: item.requestBody?.required === true,
    bodyLimit: bearer ? OWNER_BODY : ANYBODY_BODY,
    queryNames: new Set(
      parameters.filter((parameter: Json) => parameter.in === 'query').map(({ name }: Json) => name),
    ),
    timeNames: parameters
      .filter(({ schema }: Json) => resolve(schema)['x-site-time'] === true)
      .map(({ name }: Json) => name),
    integers: new Set(
      parameters
        .filter(({ schema }: Json) => resolve(schema).type === 'integer')
        .map(({ name }: Json) => name),
    ),
    parameters,
    declared: item,
  };
}

function match(operations: readonly Operation[], method: string, path: string): Match {
  const segments = decodePath(path);
  const fitting = operations.filter((operation) => fits(operation.segments, segments));
  const fixed = fitting[0];
  if (fixed === undefined) throw notFound('This path');
  // Only operations of the very same path count for the method: /consents/export is not also a consent_id.
  const here = fitting.filter(({ path }) => path === fixed.path);
  const operation = here.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method));
  if (operation === undefined) throw methodNotAllowed(here.map((candidate) => candidate.method).join(', '));
  const params: Record<string, string> = {};
  operation.segments.forEach((segment, index) => {
    const parameter = parameterOf(segment);
    if (parameter === undefined) return;
    const { name, ending } = parameter;
    params[name] = (segments[index] as string).slice(0, -ending.length || undefined);
  });
  return { operation, params };
}

const fits = (pattern: string[], segments: string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => fitsSegment(part, segments[index] as string));

/** Whether a segment of a request's path fits one of the contract's; a value is never empty. */
export function fitsSegment(part: string, segment: string): boolean {
  const parameter = parameterOf(part);
  if (parameter === undefined) return part === segment;
  return segment.length > parameter.ending.length && segment.endsWith(parameter.ending);
}

function decodePath(path: string): string[] {
  if (path.length > MAX_PATH)
    throw ValidationError.of('path', `must not be longer than ${MAX_PATH} characters`, 'maxLength');
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    throw ValidationError.of(
      'path',
      'has broken percent-encoding: encode it as UTF-8 (RFC 3986)',
      'encoding',
    );
  }
}
