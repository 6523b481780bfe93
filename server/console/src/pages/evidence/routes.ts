import { page } from '../../app/page';

export const site = [page('evidence', () => import('./evidence'))];
