import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import * as schemaValidator from 'express-openapi-validator/dist/framework/openapi.schema.validator';
import traverse from 'json-schema-traverse';
import { type Json, resolveIn } from '../contract/document';
import { makeKeywordsLinear } from '../contract/linear-keywords';
import type { Contract } from '../contract/operations';
import { isSeen } from '../domain/addresses';
import { ApiError, notFound, unsupportedMediaType, ValidationError } from '../domain/errors';
import { describeFindings } from './field-errors';

interface ContractError extends Error {
  status?: number;
  errors?: { path: string; message?: string; errorCode?: string }[];
}

// Without this Ajv searches the whole contract for `$id` and `$anchor` for each operation, which has none:
// half of a first answer's time.
const { skipKeywords } = traverse as unknown as { skipKeywords: Record<string, boolean> };
Object.assign(skipKeywords, { paths: true, components: true });
// It compiles OpenAPI's own schema even where it is told not to use it.
Object.assign(schemaValidator, { OpenAPISchemaValidator: class {} });

const made = new Map<boolean, RequestHandler[]>();

/** The validator of everything that Express answers, made once per process from the contract. */
export function validateContract(contract: Contract, validateResponses: boolean): RequestHandler[] {
  const handlers = made.get(validateResponses) ?? makeValidator(contract, validateResponses);
  made.set(validateResponses, handlers);
  return handlers;
}

function makeValidator(contract: Contract, validateResponses: boolean): RequestHandler[] {
  makeKeywordsLinear();
  return OpenApiValidator.middleware({
    apiSpec: documentFor(contract, validateResponses),
    // The contract is linted when it is generated, not at each start.
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: validateResponses && { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    validateFormats: true,
    ajvFormats: { mode: 'full' },
    formats: { 'idn-email': { type: 'string', validate: isSeen } },
  }) as RequestHandler[];
}

/** What the validator reads of an operation; the rest, such as extensions, only names more schemas. */
const READ = ['parameters', 'requestBody', 'responses'];

/**
 * A reduced copy of the document, because the validator modifies it and compiles every referenced schema at each start.
 */
function documentFor({ document }: Contract, validateResponses: boolean): Json {
  const { webhooks, ...rest } = document;
  const copy: Json = structuredClone(rest);
  for (const item of Object.values<Json>(copy.paths))
    for (const operation of Object.values<Json>(item)) {
      for (const name of Object.keys(operation)) if (!READ.includes(name)) delete operation[name];
      if (!validateResponses) operation.responses = {};
      for (const media of Object.values<Json>(operation.requestBody?.content ?? {}))
        media.schema = resolveIn(copy, media.schema);
    }
  const { schemas, ...components } = copy.components;
  const needed = namesReferredTo([copy.paths, components], schemas);
  copy.components.schemas = Object.fromEntries([...needed].map((name) => [name, schemas[name]]));
  return validateResponses ? copy : inlined(copy);
}

/** The schemas that a part of the document refers to, and those that these refer to. */
function namesReferredTo(part: Json, schemas: Json, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([\w.]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesReferredTo(schemas[name], schemas, found);
  }
  return found;
}

/** The document with schemas in the place of references to them, but of those that refer to themselves. */
function inlined(whole: Json): Json {
  const write = (node: Json, around: readonly string[]): Json => {
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map((item) => write(item, around));
    const { $ref } = node;
    if (typeof $ref === 'string' && !around.includes($ref))
      return write(resolveIn(whole, node), [...around, $ref]);
    return Object.fromEntries(
      Object.entries<Json>(node).map(([name, inner]) => [name, write(inner, around)]),
    );
  };
  const paths = write(whole.paths, []);
  const left = namesReferredTo(paths, whole.components.schemas);
  const schemas = Object.fromEntries([...left].map((name) => [name, whole.components.schemas[name]]));
  return { ...whole, paths, components: { schemas } };
}

/** Puts what the validator throws into the words of the envelope; anything else stays as it is. */
export function describeContractError(thrown: unknown): unknown {
  if (thrown instanceof ApiError) return thrown;
  const { status, errors, message } = (thrown ?? {}) as ContractError;
  if (errors === undefined || status === undefined) return thrown;
  if (status === 404) return notFound('This path');
  if (status === 415) return unsupportedMediaType(['application/json']);
  if (status !== 400) return thrown;
  const findings = errors.map(({ path, message: text, errorCode }) => ({
    pointer: path,
    keyword: errorCode?.split('.', 1)[0] ?? 'invalid',
    message: text ?? 'is invalid',
  }));
  return new ValidationError(
    describeFindings(
      findings.length > 0
        ? findings
        : [{ pointer: '/body', keyword: 'invalid', message: message ?? 'is invalid' }],
    ),
  );
}
