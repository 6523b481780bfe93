import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { contractDocument, type Json } from '../contract-document';
import type { EventPayload } from '../domain/types';

let validators: Map<string, ValidateFunction> | undefined;

/** Throws unless a payload fits the schema that the contract declares for its event. */
export function checkPayload(payload: EventPayload): void {
  validators ??= compileSchemas();
  const validate = validators.get(payload.event);
  if (validate?.(payload)) return;
  // Without the values, which are personal data.
  const where = (validate?.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  throw new Error(`The payload of ${payload.event} breaks its declared schema: ${where.join(', ')}`);
}

function compileSchemas(): Map<string, ValidateFunction> {
  const document = contractDocument();
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats(ajv, { mode: 'full' });
  ajv.addFormat('int32', true);
  ajv.addSchema(document, 'contract');
  return new Map(
    Object.entries<Json>(document.webhooks).map(([event, item]) => [
      event,
      ajv.compile({ $ref: `contract${item.post.requestBody.content['application/json'].schema.$ref}` }),
    ]),
  );
}
