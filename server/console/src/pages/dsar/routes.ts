import { page } from '../../app/page';

export const site = [page('dsar', () => import('./list')), page('dsar/:id', () => import('./detail'))];
