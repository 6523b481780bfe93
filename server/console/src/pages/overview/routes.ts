import { page } from '../../app/page';

export const site = [page('', () => import('./overview'))];
