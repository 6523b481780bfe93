import type { ValidateFunction } from 'ajv/dist/2020';
import { contractDocument, type Json } from '../contract/document';
import { compileSchema } from '../contract/validation';
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

const compileSchemas = (): Map<string, ValidateFunction> =>
  new Map(
    Object.entries<Json>(contractDocument().webhooks).map(([event, item]) => [
      event,
      compileSchema(item.post.requestBody.content['application/json'].schema),
    ]),
  );
