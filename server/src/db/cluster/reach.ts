import type { Knex } from 'knex';
import { connectionSettings, hostsOf, VISITORS } from '../knex';
import type { NodeAddress } from './shard-map';

export interface Unreached extends NodeAddress {
  why: string;
}

/** The nodes of the cluster that this machine cannot log in to by the names that they have there. */
export async function unreachedFromHere(db: Knex): Promise<Unreached[]> {
  const { rows } = await db.raw<{ rows: NodeAddress[] }>(
    `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
     WHERE isactive AND noderole = 'primary' AND groupid <> 0 ORDER BY groupid`,
  );
  const results = await Promise.all(rows.map((node) => whyNot(db, node)));
  return rows.flatMap((node, index) => {
    const why = results[index];
    return why === undefined ? [] : [{ ...node, why }];
  });
}

async function whyNot(db: Knex, node: NodeAddress): Promise<string | undefined> {
  try {
    const client = await hostsOf(db).at(node).open(connectionSettings('avow reach', VISITORS));
    await client.end();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
