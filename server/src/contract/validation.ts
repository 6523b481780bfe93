import Ajv2020, { type Options, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isSeen } from '../domain/addresses';
import { contractDocument, type Json } from './document';
import { makeKeywordsLinear } from './linear-keywords';

/** The contract's id in Ajv. */
const NAME = 'contract';
let shared: Ajv2020 | undefined;

/**
 * An Ajv for the contract: it knows the document, finds all errors in linear time, and checks formats in
 * full.
 */
export function createAjv(options: Options = {}): Ajv2020 {
  makeKeywordsLinear();
  const ajv = new Ajv2020({ allErrors: true, strict: false, ...options });
  addFormats(ajv, { mode: 'full' });
  ajv.addFormat('int32', { type: 'number', validate: (number) => (number | 0) === number });
  for (const format of ['int64', 'bytes']) ajv.addFormat(format, true);
  ajv.addFormat('idn-email', isSeen);
  ajv.addSchema(contractDocument(), NAME);
  return ajv;
}

/** Compiles a schema from the document, or one that refers to it; uses the shared Ajv by default. */
export function compileSchema<Value = unknown>(schema: Json, ajv?: Ajv2020): ValidateFunction<Value> {
  shared ??= createAjv();
  // References into the document, seen from outside.
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${NAME}#/`);
  return (ajv ?? shared).compile<Value>(JSON.parse(text));
}
