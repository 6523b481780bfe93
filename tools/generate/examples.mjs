// @ts-check
// Composes the examples of requests and answers from the examples of the models.
import { operationsOf, resolve } from './document.mjs';

/**
 * Throws for a request or an answer whose model has no example.
 * @param {any} api
 */
export function composeExamples(api) {
  for (const { operation } of operationsOf(api)) {
    for (const media of Object.values(operation.requestBody?.content ?? {}).slice(0, 1))
      media.example = exampleOf(api, media.schema, operation);
    for (const [status, answer] of Object.entries(operation.responses)) {
      const media = answer.content?.['application/json'];
      if (status.startsWith('2') && media !== undefined)
        media.example = answerExample(api, media.schema, operation);
    }
    delete operation['x-answer-example'];
  }
}

/**
 * The envelope with the operation's message and the model's example; `@answerExample` replaces parts of it.
 * @param {any} api
 * @param {any} schema
 * @param {any} operation
 */
function answerExample(api, schema, operation) {
  const data = exampleOf(api, resolve(api, schema).properties.data, operation);
  return {
    status: 'success',
    data: { ...data, ...operation['x-answer-example'] },
    message: operation['x-message'],
  };
}

/**
 * @param {any} api
 * @param {any} schema
 * @param {any} operation
 */
function exampleOf(api, schema, operation) {
  const model = resolve(api, schema);
  if (model.examples?.[0] !== undefined) return model.examples[0];
  const { items } = model.properties ?? {};
  if (items === undefined) throw new Error(`${operation.operationId}: ${schema.$ref} needs an @example.`);
  return { items: [exampleOf(api, items.items, operation)], next_cursor: null };
}
