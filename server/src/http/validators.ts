import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { FieldError } from '../errors';
import type { Contract, Json, Operation } from './contract';
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

/** Compiles the validators of the visitor operations from the same document that the other host validates with. */
export function compileValidators(contract: Contract): Map<string, VisitorValidator> {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv, { mode: 'full' });
  ajv.addFormat('int32', { type: 'number', validate: (number) => (number | 0) === number });
  ajv.addFormat('int64', true);
  ajv.addSchema(contract.document, 'contract');
  const visitor = contract.operations.filter((operation) => operation.visitor && !operation.file);
  return new Map(visitor.map((operation) => [operation.id, compile(ajv, operation)]));
}

function compile(ajv: Ajv2020, operation: Operation): VisitorValidator {
  const params = ajv.compile(parametersSchema(operation, 'path'));
  const query = ajv.compile({ ...parametersSchema(operation, 'query'), additionalProperties: false });
  const key = ajv.compile(
    absolute(operation.parameters.find(({ name }) => name === 'Idempotency-Key')?.schema ?? true),
  );
  const body = bodyValidator(ajv, operation);
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
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, absolute(schema)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function bodyValidator(ajv: Ajv2020, operation: Operation): ValidateFunction | undefined {
  if (operation.bodyTypes.length === 0) return undefined;
  const pointer = `${operation.path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${operation.method.toLowerCase()}`;
  return ajv.compile({ $ref: `contract#/paths/${pointer}/requestBody/content/application~1json/schema` });
}

/** References of the document, as seen from outside of it. */
function absolute(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/'));
}
