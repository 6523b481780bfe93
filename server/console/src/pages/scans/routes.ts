import { page } from '../../app/page';

export const site = [page('scans', () => import('./scans')), page('scans/:id', () => import('./scan'))];
