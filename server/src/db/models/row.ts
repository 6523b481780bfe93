import { Model } from 'objection';

/** The base of all rows. `first()` asks for one row: without a limit, objection reads all and takes the first of them. */
export abstract class Row extends Model {
  static override useLimitInFirst = true;
}
