import { resolve } from '../../src/contract/document';
import type { Operation, Tag } from './contract';
import { exampleFor } from './sample-values';
import { shapeOf } from './schema';

/** Operations that cannot be undone, in addition to every DELETE; they are confirmed before they are sent. */
const DESTRUCTIVE: Record<string, string> = {
  replaceVendors: 'This replaces the whole list of vendors.',
  revokeTokens: 'This ends all logins of your account, including this one.',
  changePassword: 'This changes your password and ends all older logins.',
  rotateWebhookSecret: 'This gives the webhook a new secret; receivers need it before the overlap ends.',
  updateEnvironment: 'This changes the settings of a site.',
};

/** The forms of all operations, for the script that tries them. */
export const formsOf = (tags: readonly Tag[]): string =>
  JSON.stringify(
    Object.fromEntries(
      tags.flatMap(({ operations }) => operations.map((operation) => [operation.id, formOf(operation)])),
    ),
  );

function formOf(operation: Operation) {
  const { id, method, path, bearer, body, parameters } = operation;
  const warning =
    DESTRUCTIVE[id] ?? (method === 'DELETE' ? operation.description.split(/(?<=[.:])\s/)[0] : undefined);
  return {
    method,
    path,
    bearer,
    ...(warning === undefined ? {} : { warning }),
    ...(body === undefined
      ? {}
      : {
          body: body.example === undefined ? '' : JSON.stringify(body.example, null, 2),
          bodyRequired: body.required,
        }),
    parameters: parameters.map((parameter) => {
      const { values, type, preset } = shapeOf(parameter.schema);
      return {
        name: parameter.name,
        in: parameter.in,
        required: parameter.required,
        description: (parameter.description || (resolve(parameter.schema).description ?? '')).split('\n')[0],
        values: type === 'boolean' ? ['true', 'false'] : values,
        ...(preset === undefined ? {} : { preset }),
        // Readers enter the token of their own site; ids from the example would be refused.
        example: parameter.required && parameter.name !== 'token' ? String(exampleFor(parameter)) : '',
      };
    }),
  };
}
