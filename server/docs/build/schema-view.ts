import { facts, limitsLine, presence, sample } from './field-facts';
import { type Html, html, prose } from './html';
import { type Field, type Shape, shapeOf } from './schema';

/** Called for each shown field, for the search. */
export type OnField = (field: {
  model: string | undefined;
  name: string;
  anchor: string;
  description: string;
}) => void;

interface Place {
  anchor: string;
  /** The value of the operation's example. */
  example: unknown;
  /** The models around this one: a model is not shown inside itself. */
  above: string[];
  /** Whether callers write it. Then required fields are marked; in answers, fields that may be missing. */
  written: boolean;
  /** Where on this page each model is already shown. */
  shown: Map<string, string>;
  onField: OnField;
}

/** Models with fewer fields are shown again instead of linked. */
const WORTH_A_LINK = 5;

/** The fields of a schema as a list with objects that can be opened; works without scripts. */
export function fieldTree(schema: unknown, given: Omit<Place, 'above'>): Html {
  const shape = shapeOf(schema);
  const place = { ...given, above: shape.names };
  if (shape.fields.length === 0 && shape.items === undefined && shape.entries === undefined)
    return html`<p class="field-facts">${facts(shape)}</p>${shape.description && html`<p>${prose(shape.description)}</p>`}`;
  // Not the anchor itself, which may be that of a heading.
  const id = `${place.anchor}.fields`;
  remember(shape.items ?? shape.entries ?? shape, { ...place, anchor: id });
  return html`<div id="${id}">${fieldList(shape, place)}</div>`;
}

/** Records where a model is shown; returns where it was shown before. */
function remember({ names: [model], fields }: Shape, { anchor, written, shown }: Place): string | undefined {
  if (model === undefined || fields.length < WORTH_A_LINK) return undefined;
  const key = `${model} ${written}`;
  const before = shown.get(key);
  if (before === undefined) shown.set(key, anchor);
  return before;
}

function fieldList(shape: Shape, place: Place): Html {
  const inner = shape.items ?? shape.entries;
  if (shape.fields.length === 0 && inner !== undefined)
    return fieldList(inner, { ...place, example: firstOf(place.example) });
  const model = shape.names[0];
  return html`<ul class="fields">${shape.fields.map((field) => fieldRow(field, model, place))}</ul>`;
}

function fieldRow(field: Field, model: string | undefined, place: Place): Html {
  const shape = field.shape();
  const anchor = `${place.anchor}.${field.name}`;
  const example = childOf(place.example, field.name);
  place.onField({ model, name: field.name, anchor, description: shape.description });
  return html`<li class="field" id="${anchor}">
<div class="field-head"><a class="field-name" href="#${anchor}"><code>${field.name}</code></a> <span class="type">${shape.type}${shape.nullable && ' or null'}</span>${presence(field.required, place.written)}</div>
${shape.description && html`<p>${prose(shape.description)}</p>`}${limitsLine(shape)}${sample(shape, example)}${children(shape, { ...place, anchor, example })}</li>`;
}

function children(shape: Shape, place: Place): Html | false {
  const inner = shape.items ?? shape.entries ?? shape;
  const known = inner.names.find((name) => place.above.includes(name));
  const next = {
    ...place,
    above: [...place.above, ...inner.names],
    example: inner === shape ? place.example : firstOf(place.example),
  };
  if (inner.variants.some(({ fields }) => fields.length > 0))
    return html`<p class="limits"><span>one of ${inner.variants.map(({ names }, index) => html`${index > 0 && ', '}${names[0]}`)}</span></p>`;
  if (inner.fields.length === 0) return inner !== shape && inner.items ? children(inner, next) : false;
  if (known !== undefined) return html`<p class="limits"><span>again a ${known}, as above</span></p>`;
  const count = inner.fields.length;
  const before = remember(inner, place);
  if (before !== undefined)
    return html`<p class="limits"><a href="#${before}">${count} fields, as in ${before.replace(/\.fields$/, '')}</a></p>`;
  return html`<details class="children"><summary>${count} ${count === 1 ? 'field' : 'fields'}<span class="visually-hidden"> of ${place.anchor.split('.').slice(1).join('.')}</span></summary>${fieldList(inner, next)}</details>`;
}

const childOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const firstOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined;
