import { GppModel } from '@iabgpp/cmpapi';

type Fields = Record<string, unknown>;

/** What a string says, as the IAB's own library reads it: by section, its fields. */
export function decoded(text: string): Record<string, Fields> {
  const model = new GppModel(text);
  const names = model.getSectionIds().map((id) => NAMES.get(id) ?? `${id}`);
  return Object.fromEntries(names.map((name) => [name, model.getSection(name) as Fields]));
}

/** The prefixes of the IAB's sections by their numbers (Global Privacy Platform, Section Information). */
export const NAMES = new Map(
  [
    ...[
      'tcfeuv2',
      '',
      '',
      'tcfcav1',
      'uspv1',
      'usnat',
      'usca',
      'usva',
      'usco',
      'usut',
      'usct',
      'usfl',
      'usmt',
    ],
    ...[
      'usor',
      'ustx',
      'usde',
      'usia',
      'usne',
      'usnh',
      'usnj',
      'ustn',
      'usmn',
      'usmd',
      'usin',
      'usky',
      'usri',
    ],
  ].map((name, index) => [index + 2, name]),
);
