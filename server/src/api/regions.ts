import { LAWS, LAWS_VERSION } from '../domain/regions/laws';
import { lawfulRule, ruleIn } from '../domain/regions/rules';
import { locate } from '../services/regions/locate';
import { Cached, type Handler } from './handler';

/** How long a browser keeps where its visitor is, and anybody the list of laws, in seconds. */
const VISIT = 600;
const LIST = 3_600;

export const getRegion: Handler<'getRegion'> = async (context, { site, query, address, proxyHeader }) => {
  const { region, source } = await locate(context, { proxyHeader, address, timeZone: query.time_zone });
  const rule = site.regions === undefined ? lawfulRule(undefined) : ruleIn(site.regions, region);
  return new Cached({ region, rule, source }, undefined, VISIT, 'private');
};

export const getRegionLaws: Handler<'getRegionLaws'> = async () =>
  new Cached(
    { version: LAWS_VERSION, otherwise: lawfulRule(undefined), laws: [...LAWS] },
    `"${LAWS_VERSION}"`,
    LIST,
  );
