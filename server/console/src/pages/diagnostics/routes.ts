import { page } from '../../app/page';

export const site = [page('diagnostics', () => import('./diagnostics'))];
