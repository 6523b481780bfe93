import type { Operation } from '../contract';
import type { WebhookEvent } from '../events';
import { curlSample, sdkSample, variablesNote } from '../samples';
import { type Shape, shapeOf } from '../schema';

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

/** An operation in Markdown: the same facts as on its page, with fields as a nested list. */
export function operationMarkdown(operation: Operation): string {
  const { id, method, path, description, bearer, role, scope, parameters, body, answers } = operation;
  const success = answers.find(({ status }) => status.startsWith('2'));
  const example = success?.content['application/json']?.example;
  const errors = answers.filter(({ status }) => /^[45]/.test(status)).map(({ status }) => status);
  return [
    `## ${id}`,
    `\`${method} ${path}\``,
    description,
    bearer
      ? `Needs a bearer token${role === undefined ? '' : `, and at least the role ${role}`}. ${scope === undefined ? 'API keys cannot call it.' : `An API key needs the scope ${scope}.`}`
      : `Public: no login.${scope === undefined ? '' : ` If an API key is sent, it needs the scope ${scope}.`}`,
    ...(parameters.length > 0
      ? [
          `### Parameters\n\n${parameters.map((one) => `- \`${one.name}\` (${one.in}${one.required ? ', required' : ''}): ${shapeOf(one.schema).type}. ${flat(one.description)}`).join('\n')}`,
        ]
      : []),
    ...(body ? [`### Body (${body.types.join(' or ')})\n\n${fieldsMarkdown(shapeOf(body.schema))}`] : []),
    ...[variablesNote(operation)].filter(Boolean),
    fence('sh', curlSample(operation)),
    fence('ts', sdkSample(operation)),
    ...(example === undefined
      ? []
      : [`### Answer ${success?.status}\n\n${fence('json', JSON.stringify(example, null, 2))}`]),
    `Errors: ${errors.join(', ')}.`,
  ].join('\n\n');
}

export const eventMarkdown = ({ name, description, schema, example }: WebhookEvent): string =>
  [
    `## ${name}`,
    description,
    fieldsMarkdown(shapeOf(schema)),
    fence('json', JSON.stringify(example, null, 2)),
  ].join('\n\n');

const flat = (text: string): string => text.replaceAll('\n', ' ');

function fieldsMarkdown(shape: Shape, indent = '', above: string[] = []): string {
  return shape.fields
    .map(({ name, required, shape: read }) => {
      const field = read();
      const inner = field.items ?? field.entries ?? field;
      const values = field.values.length > 0 ? ` (${field.values.join(' | ')})` : '';
      const facts = [
        `${field.type}${field.nullable ? ' or null' : ''}${values}`,
        required && 'required',
        ...field.limits,
      ];
      const line =
        `${indent}- \`${name}\`: ${facts.filter(Boolean).join(', ')}. ${flat(field.description)}`.trimEnd();
      if (inner.names.some((one) => above.includes(one))) return line;
      const deeper = fieldsMarkdown(inner, `${indent}  `, [...above, ...inner.names]);
      return deeper === '' ? line : `${line}\n${deeper}`;
    })
    .join('\n');
}
