import type { Item } from '@avow/sdk';
import { keys, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';

type Member = Item<'listMembers'>;

/** People that a menu offers; sites have few. */
const MOST = 1_000;

/** The members who may work on requests, as the options of a menu; none until they are read. */
export function usePeople(): (readonly [string, string])[] {
  const { token } = useSite();
  const { data = [] } = useAnswer(keys.site(token, 'members', 'desk'), async (api, signal) => {
    const found: Member[] = [];
    for await (const one of api.listMembers.each({ token, limit: 200 }, { signal })) {
      if (one.status === 'active' && one.role !== 'viewer') found.push(one);
      if (found.length === MOST) break;
    }
    return found;
  });
  return data
    .map(({ user_id, name, email }) => [String(user_id), name === '' ? email : `${name} (${email})`] as const)
    .sort(([, one], [, other]) => one.localeCompare(other));
}
