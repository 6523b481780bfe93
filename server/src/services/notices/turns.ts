import type { Knex } from 'knex';
import { tenantsOf } from '../../db/tenants';
import type { SiteNotice } from './told';

/** Members who are told something about the sites of one maker in one look: the others are in the next ones. */
const MOST = 500;

/** Notices of one site or account, and whose turn they are. */
export interface Turn {
  notices: readonly SiteNotice[];
  maker: string;
}

/** Who is told next in one look, and how many were told of each maker's sites. */
export class TellingTurns {
  private readonly told = new Map<string, number>();

  constructor(
    private readonly db: Knex,
    private readonly most = MOST,
  ) {}

  hasRoom(maker: string): boolean {
    return (this.told.get(maker) ?? 0) < this.most;
  }

  note(maker: string): void {
    this.told.set(maker, (this.told.get(maker) ?? 0) + 1);
  }

  /** Makers of sites take turns; of each, and of all in a round, what there is little to tell of comes first. */
  async inOrder(notices: readonly SiteNotice[]): Promise<Turn[]> {
    const places = placesOf(notices).sort((one, other) => one.length - other.length);
    const sites = new Set(notices.map(({ environment_id }) => environment_id));
    const makers = new Map(
      (await tenantsOf(this.db, [...sites])).map(({ site, account }) => [site, account]),
    );
    const rounds: Turn[][] = [];
    const taken = new Map<string, number>();
    for (const ofPlace of places) {
      const [{ environment_id, account_id }] = ofPlace as [SiteNotice];
      const maker = makers.get(environment_id) ?? `${environment_id} ${account_id ?? ''}`;
      const round = taken.get(maker) ?? 0;
      taken.set(maker, round + 1);
      const others = rounds[round];
      if (others === undefined) rounds.push([{ notices: ofPlace, maker }]);
      else others.push({ notices: ofPlace, maker });
    }
    return rounds.flat();
  }
}

/** By site, and of what is of no site by account. */
function placesOf(notices: readonly SiteNotice[]): SiteNotice[][] {
  const places = new Map<string, SiteNotice[]>();
  for (const notice of notices) {
    const place = `${notice.environment_id} ${notice.account_id ?? ''}`;
    const ofPlace = places.get(place);
    if (ofPlace === undefined) places.set(place, [notice]);
    else ofPlace.push(notice);
  }
  return [...places.values()];
}
