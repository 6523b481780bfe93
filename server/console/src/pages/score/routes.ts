import { page } from '../../app/page';

export const site = [page('score', () => import('./score'))];
