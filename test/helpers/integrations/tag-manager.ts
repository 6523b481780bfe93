import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../server/src/config/paths';

const FILE = join(ROOT, 'sdk/integrations/google-tag-manager/template.tpl');

/** Parts of a template's file, by name. */
export const parts: ReadonlyMap<string, string> = new Map(
  readFileSync(FILE, 'utf8')
    .split(/^___([A-Z_]+)___$/m)
    .slice(1)
    .reduce<[string, string][]>((pairs, text, at, all) => {
      if (at % 2 === 0) pairs.push([text, (all[at + 1] ?? '').trim()]);
      return pairs;
    }, []),
);

export const part = (name: string): string => {
  const text = parts.get(name);
  if (text === undefined) throw new Error(`the template has no part ${name}`);
  return text;
};

export const code = (): string => part('SANDBOXED_JS_FOR_WEB_TEMPLATE');

export interface Scenario {
  name: string;
  code: string;
}

/** The tests that the template brings along, which its editor runs. */
export const scenarios = (): { scenarios: Scenario[]; setup: string } => parse(part('TESTS'));

type Value = {
  type: number;
  string?: string;
  boolean?: boolean;
  listItem?: Value[];
  mapKey?: Value[];
  mapValue?: Value[];
};
const plain = ({ string, boolean, listItem, mapKey, mapValue }: Value): unknown =>
  listItem?.map(plain) ??
  (mapKey &&
    Object.fromEntries(mapKey.map(({ string: key = '' }, at) => [key, plain(mapValue?.[at] as Value)]))) ??
  string ??
  boolean;

/** What the template may do, by the name of the permission. */
export const permissions = (): Map<string, Record<string, unknown>> =>
  new Map(
    (
      JSON.parse(part('WEB_PERMISSIONS')) as {
        instance: { key: { publicId: string }; param: { key: string; value: Value }[] };
      }[]
    ).map(({ instance: { key, param } }) => [
      key.publicId,
      Object.fromEntries(param.map(({ key: name, value }) => [name, plain(value)])),
    ]),
  );
