import { contractDocument, type Json, resolve } from '../../src/contract/document';
import { type Parameter, toParameter } from './contract';

export interface WebhookEvent {
  name: string;
  description: string;
  headers: Parameter[];
  schema: Json;
  example: unknown;
  answers: { status: string; description: string }[];
}

/** The contract's webhooks section. */
export function readEvents(): WebhookEvent[] {
  return Object.entries<Json>(contractDocument().webhooks).map(([name, { post }]) => {
    const { schema } = post.requestBody.content['application/json'];
    return {
      name,
      description: post.description,
      headers: post.parameters.map(toParameter),
      schema,
      example: resolve(schema).examples?.[0],
      answers: Object.entries<Json>(post.responses).map(([status, { description }]) => ({
        status,
        description,
      })),
    };
  });
}
