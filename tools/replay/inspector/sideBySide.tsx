// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { takePageSecret } from '#loopback/pageSecret.ts';
import { startPairPage } from './pair/startPairPage.tsx';
import './pair/pair.css';

takePageSecret(window);
const root = document.getElementById('root');
if (root === null) throw new Error('The page must have an element with the id "root".');
startPairPage(document, root);
