import type { Context } from '../../context';
import type { Askers } from '../probes';

/** What every public page needs. */
export interface PageTools extends Askers {
  context: Context;
}
