import { type Json, resolve } from '../../src/contract/document';
import { limitsOf } from './schema-limits';

/** A schema for display, without references and combinations. */
export interface Shape {
  /** The names of the models that it was made from, outermost first. */
  names: string[];
  /** `string`, `array of objects` … */
  type: string;
  description: string;
  nullable: boolean;
  /** Ranges, lengths, patterns, in words. */
  limits: string[];
  values: unknown[];
  preset: unknown;
  fields: Field[];
  /** The values of an object that is a map. */
  entries: Shape | undefined;
  /** The items of an array of objects. */
  items: Shape | undefined;
  variants: Shape[];
}

export interface Field {
  name: string;
  required: boolean;
  /** Computed on demand, because a model may contain itself. */
  shape(): Shape;
}

/** Follows the references of a schema and merges its combinations. */
export function shapeOf(schema: Json): Shape {
  const { merged, names } = merge(schema);
  const options: Json[] = merged.anyOf ?? merged.oneOf ?? [];
  const types: string[] = [merged.type].flat();
  const nullable = types.includes('null') || options.some(({ type }) => type === 'null');
  merged.type = types.find((type) => type !== 'null');
  const others = options.filter(({ type }) => type !== 'null');
  if (others.length === 1) {
    const { anyOf, oneOf, ...own } = merged;
    const shape = shapeOf({ allOf: [others[0], own] });
    return { ...shape, names: [...names, ...shape.names], nullable: nullable || shape.nullable };
  }
  const items = merged.items === undefined ? undefined : shapeOf(merged.items);
  const map = typeof merged.additionalProperties === 'object' ? merged.additionalProperties : undefined;
  const variants = others.map(shapeOf);
  return {
    names,
    type: typeOf(merged, items, map, variants),
    description: merged.description ?? '',
    nullable,
    limits: limitsOf(merged, items),
    values: merged.enum ?? items?.values ?? [],
    preset: merged.default,
    fields: Object.entries<Json>(merged.properties ?? {}).map(([name, property]) => ({
      name,
      required: (merged.required ?? []).includes(name),
      shape: () => shapeOf(property),
    })),
    entries: map && shapeOf(map),
    items,
    variants,
  };
}

/** Merges references and `allOf` into one schema; keywords beside them override theirs. */
function merge(schema: Json): { merged: Json; names: string[] } {
  const { $ref, allOf, ...own } = schema;
  const parts = [
    ...($ref === undefined ? [] : [{ name: $ref.split('/').pop(), schema: resolve(schema) }]),
    ...(allOf ?? []).map((part: Json) => ({ schema: part })),
  ];
  let merged: Json = {};
  const names: string[] = [];
  for (const part of parts) {
    const inner = merge(part.schema);
    if (part.name !== undefined) names.push(part.name);
    names.push(...inner.names);
    merged = combine(merged, inner.merged);
  }
  return { merged: combine(merged, own), names };
}

const combine = (a: Json, b: Json): Json => ({
  ...a,
  ...b,
  ...(a.properties && b.properties ? { properties: { ...a.properties, ...b.properties } } : {}),
  ...(a.required && b.required ? { required: [...a.required, ...b.required] } : {}),
});

function typeOf(schema: Json, items: Shape | undefined, map: Json, variants: Shape[]): string {
  if (variants.length > 0)
    return variants
      .map(({ type }) => type)
      .filter((type, at, all) => all.indexOf(type) === at)
      .join(' or ');
  if (items !== undefined) return `array of ${plural(items.type)}`;
  if (map !== undefined) return `map to ${plural(shapeOf(map).type)}`;
  return schema.type ?? (schema.contentMediaType ? 'file' : 'any');
}

const plural = (type: string): string =>
  type.startsWith('array') || type.startsWith('map') ? type.replace(/^(array|map)/, '$1s') : `${type}s`;
