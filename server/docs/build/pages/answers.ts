import { codeBlock } from '../code';
import type { Answer, Operation } from '../contract';
import { type Html, html, prose } from '../html';
import { shapeOf } from '../schema';
import { fieldTree, type OnField } from '../schema-view';
import { codesOf } from './errors';

/** What the operations of a page share: models already shown, and the callback for each field. */
export interface Told {
  shown: Map<string, string>;
  onField: OnField;
}

/** The answers of an operation: successes with their fields, errors in short. */
export function answers(operation: Operation, told: Told): Html {
  const { id } = operation;
  const good = operation.answers.filter(({ status }) => !/^[45]/.test(status));
  const bad = operation.answers.filter(({ status }) => /^[45]/.test(status));
  return html`<h3>Answers<span class="visually-hidden"> of ${id}</span></h3>
${good.map((answer) => goodAnswer(operation, answer, told))}
<details class="children errors"><summary>${bad.length} errors<span class="visually-hidden"> of ${id}</span></summary><ul class="error-list">${bad.map(
    ({ status, description }) =>
      html`<li><span class="status s${status[0]}">${status}</span> <span>${codesOf(status).map((code) => html`<a href="/docs/errors#${code}"><code>${code}</code></a> `)}${prose(description)}</span></li>`,
  )}</ul></details>`;
}

/** An answer's `data`, because the envelope around it is always the same. */
function goodAnswer({ id }: Operation, { status, description, content, headers }: Answer, told: Told): Html {
  const json = content['application/json'];
  const data = json && shapeOf(json.schema).fields.find(({ name }) => name === 'data');
  const files = Object.keys(content).filter((type) => type !== 'application/json');
  const example = (json?.example as { data?: unknown } | undefined)?.data;
  const others = headers.filter(({ name }) => name !== 'X-Request-Id');
  return html`<div class="answer"><p><span class="status s${status[0]}">${status}</span> ${prose(description)}${files.length > 0 && html` As ${files.map((type, index) => html`${index > 0 && ', '}<code>${type}</code>`)}.`}</p>
${others.length > 0 && html`<ul class="plain">${others.map(({ name, description: text }) => html`<li><code>${name}</code> ${prose(text)}</li>`)}</ul>`}
${data !== undefined && html`<p class="aside">In <code>data</code>:</p>${fieldTree(dataOf(json?.schema), { anchor: `${id}.${status}`, example, written: false, ...told })}`}</div>`;
}

// biome-ignore lint/suspicious/noExplicitAny: a schema is free-form JSON
const dataOf = (schema: any): unknown => schema.properties?.data ?? schema;

/** The example of a successful answer. */
export function answerExample({ answers: all }: Operation): Html | false {
  const answer = all.find(({ status }) => status.startsWith('2'));
  const example = answer?.content['application/json']?.example;
  return (
    example !== undefined && codeBlock(JSON.stringify(example, null, 2), 'json', `Answer ${answer?.status}`)
  );
}
