import type { ValidateFunction } from 'ajv/dist/2020';
import type { Json } from '../contract/document';
import type { Operation } from '../contract/operations';
import { compileSchema } from '../contract/validation';
import type { FieldError } from '../domain/errors';
import { fieldErrors } from './field-errors';

/** What is checked of a visitor's request. */
export interface VisitorInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  key: string | undefined;
  body: unknown;
}

/** Finds every field that breaks the contract. */
export type VisitorValidator = (input: VisitorInput) => FieldError[];

const compiled = new WeakMap<Operation, VisitorValidator>();

/**
 * The validator of a visitor operation, from the same document that the other host validates with. Compiled
 * with its first request: all of them together take a tenth of a start, and few processes need all.
 */
export function visitorValidator(operation: Operation): VisitorValidator {
  const known = compiled.get(operation);
  if (known !== undefined) return known;
  const validator = compile(operation);
  compiled.set(operation, validator);
  return validator;
}

function compile(operation: Operation): VisitorValidator {
  const params = compileSchema(parametersSchema(operation, 'path'));
  const query = compileSchema({ ...parametersSchema(operation, 'query'), additionalProperties: false });
  const key = compileSchema(
    operation.parameters.find(({ name }) => name === 'Idempotency-Key')?.schema ?? true,
  );
  const body = bodyValidator(operation);
  return (input) => {
    // The common case allocates nothing.
    const good =
      params(input.params) &&
      query(input.query) &&
      (input.key === undefined || key(input.key)) &&
      (body === undefined || body(input.body));
    if (good) return [];
    return [
      ...run(params, input.params, 'params'),
      ...run(query, input.query, 'query'),
      ...(input.key === undefined ? [] : run(key, input.key, 'headers/idempotency-key')),
      ...(body === undefined ? [] : run(body, input.body, 'body')),
    ];
  };
}

function run(validate: ValidateFunction, data: unknown, place: string): FieldError[] {
  return validate(data) ? [] : fieldErrors(validate.errors, place);
}

function parametersSchema(operation: Operation, where: 'path' | 'query'): Json {
  const parameters = operation.parameters.filter((parameter) => parameter.in === where);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function bodyValidator(operation: Operation): ValidateFunction | undefined {
  if (operation.bodyTypes.length === 0) return undefined;
  const pointer = `${operation.path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${operation.method.toLowerCase()}`;
  return compileSchema({ $ref: `#/paths/${pointer}/requestBody/content/application~1json/schema` });
}
