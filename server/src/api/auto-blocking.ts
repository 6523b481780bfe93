import { heldPlaces } from '../bundles/held-places';
import { VendorListRow } from '../db/models';
import { inOrder } from '../domain/auto-blocking/places';
import type { Handler } from './handler';

export const getAutoBlocking: Handler<'getAutoBlocking'> = async ({ db, publicUrl }, { environment }) => {
  const list = await VendorListRow.query(db)
    .where({ environment_id: environment.id })
    .orderBy('version', 'desc')
    .first();
  const { places, digest, scannedAt, isCrowded } = await heldPlaces(
    db,
    environment,
    list?.vendors ?? [],
    publicUrl(),
  );
  const enabled = environment.settings.auto_blocking?.enabled === true;
  const [present] = environment.bundles;
  return {
    enabled,
    scanned_at: scannedAt?.toISOString() ?? null,
    outdated: enabled && present !== undefined && present.holds !== digest,
    crowded: isCrowded,
    places: inOrder(places).map(({ asked: _, isFound: __, ...place }) => place),
  };
};
