import { codeTabs } from '../code';
import type { Operation, Parameter, Tag } from '../contract';
import { limitsLine, presence } from '../field-facts';
import { type Html, html, prose, raw } from '../html';
import { curlSample, sdkSample, variablesNote } from '../samples';
import { shapeOf } from '../schema';
import { fieldTree, type OnField } from '../schema-view';
import { type Finding, hrefOf, type Page, tagPath } from '../site';
import { answerExample, answers, type Told } from './answers';
import { operationMarkdown } from './markdown';

/** One page for each tag of the contract: every operation with its parameters, answers and samples. */
export function referencePage(tag: Tag, seen: Set<string>): Page {
  const path = tagPath(tag);
  const findings: Finding[] = tag.operations.map(({ id, method, path: address, description }) => ({
    kind: 'operation',
    title: id,
    place: `${method} ${address}`,
    href: `${hrefOf(path)}#${id}`,
    text: `${description} ${tag.name}`,
  }));
  const shown = new Map<string, string>();
  const onField =
    (operation: Operation): OnField =>
    (field) => {
      // A field of a model that many operations have is found once.
      const key = `${field.model ?? operation.id}.${field.name}`;
      if (seen.has(key)) return;
      seen.add(key);
      findings.push({
        kind: 'field',
        title: field.name,
        place: `${operation.id} · ${field.anchor.split('.').slice(1).join('.')}`,
        href: `${hrefOf(path)}#${field.anchor}`,
        text: field.description,
      });
    };
  return {
    path,
    title: tag.name,
    description: tag.description,
    wide: true,
    headings: tag.operations.map(({ id }) => ({ level: 2, id, title: id })),
    markdown: [`# ${tag.name}`, tag.description, ...tag.operations.map(operationMarkdown)].join('\n\n'),
    body: html`<p class="kicker">API reference</p>
<h1>${tag.name}</h1>
<p class="lead">${prose(tag.description)}</p>
${tag.operations.map((operation) => operationSection(operation, { shown, onField: onField(operation) }))}`,
    findings,
  };
}

export const methodBadge = (method: string): Html =>
  html`<span class="method m-${method.toLowerCase()}">${method}</span>`;

function operationSection(operation: Operation, told: Told): Html {
  const { id, method, path, description } = operation;
  const note = variablesNote(operation);
  return html`<section class="operation">
<div class="about">
<h2 id="${id}">${id} <a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a></h2>
<p class="route">${methodBadge(method)} <code>${route(path)}</code></p>
<p>${prose(description)}</p>
${access(operation)}
${parameters(operation)}
${body(operation, told)}
${answers(operation, told)}
</div>
<div class="beside">
<div class="sticky">
${codeTabs([
  { title: 'curl', language: 'sh', code: curlSample(operation) },
  { title: 'SDK', language: 'ts', code: sdkSample(operation) },
])}
${note !== '' && html`<p class="aside variables">${prose(note)}</p>`}
<div class="try needs-script" data-operation="${id}"><button type="button" class="try-open">Try it<span class="visually-hidden"> ${id}</span></button></div>
${answerExample(operation)}
</div>
</div>
</section>`;
}

/** A path that may break behind each slash, with its parameters marked. */
const route = (path: string): Html =>
  raw(path.replaceAll('/', '/<wbr>').replace(/\{\w+\}/g, (slot) => `<span class="slot">${slot}</span>`));

function access({ bearer, role, scope, anyOrigin, limit, body }: Operation): Html {
  const facts = [
    bearer
      ? html`<span class="chip lock">Bearer token</span>`
      : html`<span class="chip open">No login</span>`,
    role !== undefined &&
      html`<span class="chip">Role: ${role}${role === 'owner' ? '' : ' or higher'}</span>`,
    scope !== undefined && html`<span class="chip">API key: ${scope}</span>`,
    bearer && scope === undefined && html`<span class="chip">No API key</span>`,
    anyOrigin && html`<span class="chip">Any origin</span>`,
    limit !== undefined && html`<span class="chip">${limit} requests a minute from one address</span>`,
    body?.types.includes('text/plain') && html`<span class="chip">Takes beacons</span>`,
  ];
  return html`<p class="chips">${facts}</p>`;
}

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const;

function parameters({ id, parameters: all }: Operation): Html[] {
  return PLACES.flatMap(([place, title]) => {
    const here = all.filter((parameter) => parameter.in === place);
    if (here.length === 0) return [];
    return [
      html`<h3>${title}<span class="visually-hidden"> of ${id}</span></h3>
<ul class="fields">${here.map((parameter) => parameterRow(id, parameter))}</ul>`,
    ];
  });
}

function parameterRow(id: string, { name, in: place, required, description, schema }: Parameter): Html {
  const shape = shapeOf(schema);
  const anchor = `${id}.${place}.${name}`;
  return html`<li class="field" id="${anchor}"><div class="field-head"><a class="field-name" href="#${anchor}"><code>${name}</code></a> <span class="type">${shape.type}</span>${presence(required, true)}</div>
${description && html`<p>${prose(description)}</p>`}
${limitsLine(shape)}</li>`;
}

function body(operation: Operation, told: Told): Html | false {
  const { id, body: content } = operation;
  if (content === undefined) return false;
  return html`<h3>Body<span class="visually-hidden"> of ${id}</span> <span class="aside">${content.types.join(' or ')}${!content.required && ', may be left out'}</span></h3>
${fieldTree(content.schema, { anchor: `${id}.body`, example: content.example, written: true, ...told })}`;
}
