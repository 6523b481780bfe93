import type { Avow, Schemas } from '@avow/sdk';
import { keys } from '../../app/data';

export type Views = Schemas['DsarViews'];
type List = Schemas['DsarViewList'];

/** The key of what the server answers about views. */
export const viewsKey = (token: string) => keys.site(token, 'dsar-views');

/** Saves one of the two lists, made of the one that was read. */
export const saveList = (
  api: Avow,
  token: string,
  isShared: boolean,
  { version }: List,
  views: List['views'],
): Promise<List> => {
  const input = { token, body: { views, expected_version: version } };
  return isShared ? api.saveSharedDsarViews(input) : api.saveOwnDsarViews(input);
};

export const isNamed = (name: string, other: string): boolean =>
  name.trim().toLowerCase() === other.trim().toLowerCase();
